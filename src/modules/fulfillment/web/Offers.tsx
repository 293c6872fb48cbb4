import { Radio } from 'antd';
import { Money, When } from '#kit/web/cells/index.ts';
import type { Offer } from '../contract/create.ts';
import { SPEEDS, type Speed } from '../contract/states.ts';

interface Props {
  /** Undefined before anybody asked. */
  offers: readonly Offer[] | undefined;
  speed: Speed;
  onChange: (speed: Speed) => void;
}

function Terms({ offer }: { offer: Offer | undefined }) {
  if (!offer) return <span className="label">预览后显示费用与时效</span>;
  return (
    <>
      {offer.fee !== null && (
        <span className="mcf-fee">
          <Money amount={offer.fee} currency={offer.currency ?? ''} />
        </span>
      )}
      {offer.arrivesTo !== null && (
        <span className="label">
          <When at={offer.arrivesFrom} /> 至 <When at={offer.arrivesTo} />
        </span>
      )}
      {offer.problems.map((problem) => (
        <span key={problem} className="warning">
          {problem}
        </span>
      ))}
    </>
  );
}

/** The speeds as choices, each with what it costs and when it arrives. */
export function Offers({ offers, speed, onChange }: Props) {
  return (
    <Radio.Group
      className="mcf-offers"
      aria-label="配送速度"
      value={speed}
      onChange={({ target }) => onChange(target.value as Speed)}
    >
      {(Object.keys(SPEEDS) as Speed[]).map((each) => (
        <Radio key={each} value={each} className={each === speed ? 'is-chosen' : ''}>
          <strong>{SPEEDS[each]}</strong>
          <Terms offer={offers?.find((one) => one.speed === each)} />
        </Radio>
      ))}
    </Radio.Group>
  );
}

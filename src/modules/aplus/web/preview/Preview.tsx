import type { CSSProperties, ReactNode } from 'react';
import { isEmpty } from '../../contract/check.ts';
import type { ImageValue, ModuleValue, SlotValue, TextValue } from '../../contract/content.ts';
import { moduleOf } from '../../contract/modules.ts';
import './preview.css';
import { MediaBase, usePicture } from './use-picture.ts';

type Values = ModuleValue['values'];

const valueAt = (values: Values, path: string): SlotValue | undefined => {
  const value = values[path];
  return isEmpty(value) ? undefined : value;
};

/** What of a picture the buyer sees: the crop fills its place, the rest lies outside. */
function Shown({ image, size }: { image: ImageValue; size: readonly [number, number] }) {
  const src = usePicture(image);
  const { crop, width, height, alt } = image;
  const box: CSSProperties = { aspectRatio: `${size[0]} / ${size[1]}`, maxWidth: size[0] };
  const isCropped = width > 0 && (crop.width < width || crop.height < height);
  const inside: CSSProperties = isCropped
    ? {
        position: 'absolute',
        width: `${(width / crop.width) * 100}%`,
        height: `${(height / crop.height) * 100}%`,
        left: `${(-crop.x / crop.width) * 100}%`,
        top: `${(-crop.y / crop.height) * 100}%`,
        maxWidth: 'none',
      }
    : { width: '100%', height: '100%', objectFit: 'cover' };
  return (
    <span className="aplus-image" style={box}>
      {src && <img src={src} alt={alt} style={inside} />}
    </span>
  );
}

interface PartProps {
  values: Values;
  path: string;
}

function Image({ values, path, size }: PartProps & { size: readonly [number, number] }) {
  const value = valueAt(values, path);
  if (value && 'image' in value) return <Shown image={value.image} size={size} />;
  return (
    <span className="aplus-image is-missing" style={{ aspectRatio: `${size[0]} / ${size[1]}`, maxWidth: size[0] }}>
      {size[0]}×{size[1]}
    </span>
  );
}

const BOLD = 'STYLE_BOLD';

/** A text; one that Amazon has wholly bold is shown so. */
function Words({ value }: { value: TextValue }) {
  const isBold = value.decorators?.some((mark) => mark.type === BOLD && mark.offset === 0);
  return isBold ? <b>{value.text}</b> : value.text;
}

function Headline({ values, path, level = 4 }: PartProps & { level?: 3 | 4 }) {
  const value = valueAt(values, path);
  if (!value || !('text' in value)) return null;
  const words = <Words value={value.text} />;
  return level === 3 ? <h3>{words}</h3> : <h4>{words}</h4>;
}

function Body({ values, path }: PartProps) {
  const value = valueAt(values, path);
  if (!value || !('lines' in value)) return null;
  return value.lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have nothing else to be told apart by
    <p key={index}>
      <Words value={line} />
    </p>
  ));
}

function Points({ values, path }: PartProps) {
  const value = valueAt(values, path);
  if (!value || !('lines' in value)) return null;
  return (
    <ul>
      {value.lines.map(({ text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: points of a list have nothing else to be told apart by
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}

function Card({ values, at, size }: { values: Values; at: string; size: readonly [number, number] }) {
  return (
    <div className="aplus-card">
      <Image values={values} path={`${at}.image`} size={size} />
      <Headline values={values} path={`${at}.headline`} />
      <Body values={values} path={`${at}.body`} />
    </div>
  );
}

function Cards({ values, count, size }: { values: Values; count: number; size: readonly [number, number] }) {
  return (
    <>
      <Headline values={values} path="headline" level={3} />
      <div className="aplus-cards" style={{ gridTemplateColumns: `repeat(${count}, 1fr)` }}>
        {Array.from({ length: count }, (_, index) => `block${index + 1}`).map((at) => (
          <Card key={at} values={values} at={at} size={size} />
        ))}
      </div>
    </>
  );
}

const SQUARE = [300, 300] as const;
const choiceOf = (values: Values, path: string): string => {
  const value = values[path];
  return value && 'choice' in value ? value.choice : '';
};

function Pairs({ values }: { values: Values }) {
  const value = valueAt(values, 'specificationList');
  if (!value || !('pairs' in value)) return null;
  return (
    <dl className={`aplus-specs${choiceOf(values, 'tableCount') === '2' ? ' is-double' : ''}`}>
      {value.pairs.map(({ label, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: specifications have nothing else to be told apart by
        <div key={index}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Comparison({ values }: { values: Values }) {
  const value = valueAt(values, '');
  if (!value || !('table' in value)) return null;
  const { labels, columns } = value.table;
  return (
    <table className="aplus-table">
      <thead>
        <tr>
          <th />
          {columns.map(({ image, title, asin, highlight }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns of a table have nothing else to be told apart by
            <th key={index} className={highlight ? 'is-on' : ''}>
              {image && <Shown image={image} size={[150, 300]} />}
              {title || asin}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have nothing else to be told apart by
          <tr key={row}>
            <th>{label}</th>
            {columns.map(({ metrics, highlight }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of a table have nothing else to be told apart by
              <td key={index} className={highlight ? 'is-on' : ''}>
                {metrics[row] || '—'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const LAYOUTS: Record<ModuleValue['type'], (values: Values) => ReactNode> = {
  STANDARD_COMPANY_LOGO: (values) => (
    <div className="aplus-middle">
      <Image values={values} path="companyLogo" size={[600, 180]} />
    </div>
  ),
  STANDARD_HEADER_IMAGE_TEXT: (values) => (
    <>
      <Headline values={values} path="headline" level={3} />
      <Card values={values} at="block" size={[970, 600]} />
    </>
  ),
  STANDARD_SINGLE_SIDE_IMAGE: (values) => (
    <div className={`aplus-side is-${choiceOf(values, 'imagePositionType').toLowerCase()}`}>
      <Image values={values} path="block.image" size={SQUARE} />
      <div>
        <Headline values={values} path="block.headline" level={3} />
        <Body values={values} path="block.body" />
      </div>
    </div>
  ),
  STANDARD_SINGLE_IMAGE_HIGHLIGHTS: (values) => (
    <div className="aplus-side">
      <Image values={values} path="image" size={SQUARE} />
      <div>
        <Headline values={values} path="headline" level={3} />
        {[1, 2, 3].map((n) => (
          <div key={n}>
            <Headline values={values} path={`textBlock${n}.headline`} />
            <Body values={values} path={`textBlock${n}.body`} />
          </div>
        ))}
      </div>
      <div className="aplus-box">
        <Headline values={values} path="bulletedListBlock.headline" />
        <Points values={values} path="bulletedListBlock.block" />
      </div>
    </div>
  ),
  STANDARD_SINGLE_IMAGE_SPECS_DETAIL: (values) => (
    <>
      <Headline values={values} path="headline" level={3} />
      <div className="aplus-side">
        <Image values={values} path="image" size={SQUARE} />
        <div>
          <Headline values={values} path="descriptionHeadline" />
          {[1, 2].map((n) => (
            <div key={n}>
              <Headline values={values} path={`descriptionBlock${n}.headline`} />
              <Body values={values} path={`descriptionBlock${n}.body`} />
            </div>
          ))}
        </div>
        <div className="aplus-box">
          <Headline values={values} path="specificationHeadline" />
          <Headline values={values} path="specificationListBlock.headline" />
          <Points values={values} path="specificationListBlock.block" />
          <Headline values={values} path="specificationTextBlock.headline" />
          <Body values={values} path="specificationTextBlock.body" />
        </div>
      </div>
    </>
  ),
  STANDARD_THREE_IMAGE_TEXT: (values) => <Cards values={values} count={3} size={SQUARE} />,
  STANDARD_FOUR_IMAGE_TEXT: (values) => <Cards values={values} count={4} size={[220, 220]} />,
  STANDARD_FOUR_IMAGE_TEXT_QUADRANT: (values) => (
    <div className="aplus-cards is-quadrant">
      {[1, 2, 3, 4].map((n) => (
        <div className="aplus-side" key={n}>
          <Image values={values} path={`block${n}.image`} size={[135, 135]} />
          <div>
            <Headline values={values} path={`block${n}.headline`} />
            <Body values={values} path={`block${n}.body`} />
          </div>
        </div>
      ))}
    </div>
  ),
  STANDARD_IMAGE_TEXT_OVERLAY: (values) => (
    <div className={`aplus-overlay is-${choiceOf(values, 'overlayColorType').toLowerCase()}`}>
      <Image values={values} path="block.image" size={[970, 300]} />
      <div>
        <Headline values={values} path="block.headline" level={3} />
        <Body values={values} path="block.body" />
      </div>
    </div>
  ),
  STANDARD_COMPARISON_TABLE: (values) => <Comparison values={values} />,
  STANDARD_PRODUCT_DESCRIPTION: (values) => <Body values={values} path="body" />,
  STANDARD_TECH_SPECS: (values) => (
    <>
      <Headline values={values} path="headline" level={3} />
      <Pairs values={values} />
    </>
  ),
  STANDARD_TEXT: (values) => (
    <>
      <Headline values={values} path="headline" level={3} />
      <Body values={values} path="body" />
    </>
  ),
  STANDARD_IMAGE_SIDEBAR: (values) => (
    <>
      <Headline values={values} path="headline" level={3} />
      <div className="aplus-side">
        <div>
          <Image values={values} path="imageCaptionBlock.image" size={[300, 400]} />
          <Headline values={values} path="imageCaptionBlock.caption" />
        </div>
        <div>
          <Headline values={values} path="descriptionTextBlock.headline" />
          <Body values={values} path="descriptionTextBlock.body" />
          <Points values={values} path="descriptionListBlock" />
        </div>
        <div className="aplus-box">
          <Card values={values} at="sidebarImageTextBlock" size={[350, 175]} />
          <Points values={values} path="sidebarListBlock" />
        </div>
      </div>
    </>
  ),
  STANDARD_MULTIPLE_IMAGE_TEXT: (values) => (
    <div className="aplus-cards is-four">
      {[0, 1, 2, 3].map((n) => (
        <div key={n}>
          <Card values={values} at={`blocks.${n}.block`} size={SQUARE} />
          <Headline values={values} path={`blocks.${n}.caption`} />
        </div>
      ))}
    </div>
  ),
};

interface Props {
  modules: readonly ModuleValue[];
  mediaBase: string;
  /** Place of the module that is being written. */
  current?: number;
  onPick?: (index: number) => void;
}

/** The modules about as the page of the product shows them: white, as Amazon's page is, whatever the theme. */
export function Preview({ modules, mediaBase, current, onPick }: Props) {
  return (
    <MediaBase.Provider value={mediaBase}>
      <div className="aplus-preview" role="document" aria-label="A+ 预览">
        {modules.length === 0 && <p className="aplus-none">添加模块后在这里预览</p>}
        {modules.map((module, index) => {
          const title = `模块${index + 1} ${moduleOf(module.type).title}`;
          const layout = LAYOUTS[module.type](module.values);
          return onPick ? (
            <section
              key={module.id}
              className={`aplus-module${index === current ? ' is-current' : ''}`}
              aria-label={title}
              title={title}
              onPointerDown={() => onPick(index)}
            >
              {layout}
            </section>
          ) : (
            <section key={module.id} className="aplus-module" aria-label={title}>
              {layout}
            </section>
          );
        })}
      </div>
    </MediaBase.Provider>
  );
}

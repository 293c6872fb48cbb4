import { Input, InputNumber } from 'antd';

export interface PrivateValues {
  sellerid: string;
  clientid: string;
  clientsecret: string;
  refreshtoken: string;
  proxyhost: string;
  proxyport: number | null;
}

export const EMPTY_PRIVATE: PrivateValues = {
  sellerid: '',
  clientid: '',
  clientsecret: '',
  refreshtoken: '',
  proxyhost: '',
  proxyport: null,
};

const FIELDS = [
  ['sellerid', 'Seller Id', false],
  ['clientid', 'Client Id', false],
  ['clientsecret', 'Client Secret', true],
  ['refreshtoken', 'Refresh Token', true],
] as const;

/** Whether everything that must be there is there. */
export function isComplete(values: PrivateValues): boolean {
  return FIELDS.every(([key]) => values[key].trim() !== '');
}

interface Props {
  values: PrivateValues;
  onChange: (values: PrivateValues) => void;
}

/** 高级: the credentials of a seller's own application, and the proxy of the store's network. */
export function PrivateForm({ values, onChange }: Props) {
  return (
    <>
      {FIELDS.map(([key, title, secret]) => {
        const Control = secret ? Input.Password : Input;
        return (
          <div className="field" key={key}>
            <span>{title}</span>
            <div>
              <Control
                aria-label={title}
                autoComplete="off"
                value={values[key]}
                onChange={(event) => onChange({ ...values, [key]: event.target.value })}
              />
            </div>
          </div>
        );
      })}
      <div className="field">
        <span>代理地址与端口（选填，该店铺的全部请求经过它）</span>
        <div className="consent-link">
          <Input
            aria-label="代理地址"
            placeholder="例如 proxy.example.com"
            value={values.proxyhost}
            onChange={(event) => onChange({ ...values, proxyhost: event.target.value })}
          />
          <InputNumber
            aria-label="代理端口"
            placeholder="端口"
            controls={false}
            min={1}
            max={65535}
            precision={0}
            value={values.proxyport}
            onChange={(proxyport) => onChange({ ...values, proxyport })}
          />
        </div>
      </div>
    </>
  );
}

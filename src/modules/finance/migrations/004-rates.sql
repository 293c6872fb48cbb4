-- Official rates by day: CNY for one unit. A day without one takes the last before it.
CREATE TABLE finance.day_rate (
  company_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'CNY'),
  day date NOT NULL,
  rate numeric(20, 10) NOT NULL CHECK (rate > 0),
  source text NOT NULL DEFAULT '手工录入' CHECK (length(source) <= 50),
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, currency, day)
);
CALL kit.tenant_table('finance.day_rate');

-- The company's own rates by month (我的汇率): CNY for one unit. Where there is none, the mean of the days holds.
CREATE TABLE finance.month_rate (
  company_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  month date NOT NULL CHECK (month = date_trunc('month', month)::date),
  rate numeric(20, 10) NOT NULL CHECK (rate > 0),
  source text NOT NULL DEFAULT '手工录入',
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, currency, month)
);
CALL kit.tenant_table('finance.month_rate');

-- How the company grades its suppliers from their scorecards.
CREATE TABLE supplier.grading (
  company_id uuid NOT NULL PRIMARY KEY,
  automatic boolean NOT NULL DEFAULT false,
  -- points from which on a supplier is of that grade; below the last one he is D
  at_a smallint NOT NULL DEFAULT 90,
  at_b smallint NOT NULL DEFAULT 75,
  at_c smallint NOT NULL DEFAULT 60,
  -- days after its end for which a quarter still waits for receipts and inspections
  grace_days smallint NOT NULL DEFAULT 5 CHECK (grace_days BETWEEN 0 AND 31),
  -- the quarter in which changes began to be applied without being asked for; earlier ones never are
  first_quarter text CHECK (first_quarter ~ '^[1-9]\d{3}Q[1-4]$'),
  -- the last quarter that was closed: its figures and those of all before it stay
  closed_quarter text CHECK (closed_quarter ~ '^[1-9]\d{3}Q[1-4]$'),
  CONSTRAINT grading_descends CHECK (at_a <= 100 AND at_a > at_b AND at_b > at_c AND at_c > 0),
  CONSTRAINT grading_begins CHECK (NOT automatic OR first_quarter IS NOT NULL)
);
CALL kit.tenant_table('supplier.grading');

-- The scorecard of a supplier in a quarter: computed anew every night until the quarter is closed.
CREATE TABLE supplier.quarter_score (
  company_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  quarter text NOT NULL CHECK (quarter ~ '^[1-9]\d{3}Q[1-4]$'),
  -- order lines that fell due
  lines int NOT NULL CHECK (lines > 0),
  -- points, 0 to 100
  delivery numeric(5, 2),
  quality numeric(5, 2),
  price numeric(5, 2),
  service numeric(5, 2),
  total numeric(5, 2),
  grade text CHECK (grade IN ('A', 'B', 'C', 'D')),
  -- mean days from placing to receipt
  lead_days numeric(8, 1),
  -- none: fewer than five lines, nothing to change, a locked grade, or a newer quarter has been closed
  state text NOT NULL CHECK (state IN ('running', 'proposed', 'applied', 'kept', 'none')),
  -- the supplier's grade when the quarter was closed
  grade_before text CHECK (grade_before IN ('A', 'B', 'C', 'D')),
  reason text,
  -- since when the figures are as they are
  computed_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_at timestamptz,
  decided_by_name text,
  PRIMARY KEY (company_id, supplier_id, quarter),
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier ON DELETE CASCADE,
  CONSTRAINT quarter_score_graded CHECK ((total IS NULL) = (grade IS NULL))
);
CREATE INDEX quarter_score_list ON supplier.quarter_score (company_id, quarter, state, total);
CREATE INDEX quarter_score_open ON supplier.quarter_score (company_id, quarter) WHERE state IN ('running', 'proposed');
CALL kit.tenant_table('supplier.quarter_score');

-- Every change of a grade: when, by whom, and why.
CREATE TABLE supplier.grade_change (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  supplier_id uuid NOT NULL,
  -- null: by hand
  quarter text CHECK (quarter ~ '^[1-9]\d{3}Q[1-4]$'),
  from_grade text NOT NULL CHECK (from_grade IN ('A', 'B', 'C', 'D')),
  to_grade text NOT NULL CHECK (to_grade IN ('A', 'B', 'C', 'D')),
  total numeric(5, 2),
  source text NOT NULL CHECK (source IN ('manual', 'proposal', 'automatic')),
  reason text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.instant(),
  by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  CONSTRAINT grade_change_differs CHECK (from_grade <> to_grade),
  CONSTRAINT grade_change_quarter CHECK ((source = 'manual') = (quarter IS NULL))
);
CREATE INDEX grade_change_supplier ON supplier.grade_change (company_id, supplier_id, at DESC);
CALL kit.tenant_table('supplier.grade_change', append_only => true);

-- A locked grade is changed by hand only.
ALTER TABLE supplier.supplier ADD COLUMN grade_locked boolean NOT NULL DEFAULT false;
ALTER TABLE supplier.supplier ADD COLUMN grade_lock_reason text;

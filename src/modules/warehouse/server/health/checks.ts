/** One law of the ledger as a query of what breaks it: no row is the proof. `$1` is the company. */
export interface LedgerCheck {
  code: string;
  title: string;
  /** What it means, for people. */
  text: string;
  sql: string;
}

const CELL = 'warehouse_id, product_id, location_id, lot_id, status';

/**
 * The laws that the self-check proves every night. Each query is one statement, so that it sees one state of the ledger
 * while postings go on, and answers (what, expected, found) with the ids of the offender as text.
 */
export const CHECKS: readonly LedgerCheck[] = [
  {
    code: 'I1',
    title: '过账平衡',
    text: '每次过账中，每个产品的转出与转入相抵为 0',
    sql: `SELECT concat_ws(' ', posting_id, product_id) AS what, '0' AS expected, sum(qty)::text AS found
            FROM warehouse.stock_entry WHERE company_id = $1 GROUP BY posting_id, product_id HAVING sum(qty) <> 0`,
  },
  {
    code: 'I2',
    title: '结存等于流水合计',
    text: '每个库位、批次、状态的结存等于其全部流水之和，且最后一笔流水的结余就是结存',
    sql: `SELECT concat_ws(' ', ${CELL}) AS what, coalesce(e.qty, 0) || ' #' || coalesce(e.seq, 0) AS expected,
                 coalesce(b.qty, 0) || ' #' || coalesce(b.last_seq, 0) AS found
            FROM (SELECT ${CELL}, sum(qty) AS qty, max(seq) AS seq, (array_agg(balance_after ORDER BY seq DESC))[1] AS after
                    FROM warehouse.stock_entry WHERE company_id = $1 GROUP BY ${CELL}) AS e
            FULL JOIN (SELECT * FROM warehouse.stock_balance WHERE company_id = $1) AS b USING (${CELL})
           WHERE (b.qty, b.last_seq, b.qty) IS DISTINCT FROM (e.qty, e.seq, e.after)`,
  },
  {
    code: 'I2C',
    title: '结余逐笔相接',
    text: '每一笔流水的结余等于上一笔结余加本笔变动：并发过账等同于某个先后顺序',
    sql: `SELECT seq::text AS what, (before + qty)::text AS expected, balance_after::text AS found
            FROM (SELECT seq, qty, balance_after, coalesce(lag(balance_after) OVER (PARTITION BY ${CELL} ORDER BY seq), 0) AS before
                    FROM warehouse.stock_entry WHERE company_id = $1) AS e WHERE before + qty <> balance_after`,
  },
  {
    code: 'I3',
    title: '库存从不为负',
    text: '自有库存在任何一笔流水之后、任何一个业务日结束时都不小于 0',
    sql: `SELECT seq::text AS what, '>= 0' AS expected, balance_after::text AS found
            FROM warehouse.stock_entry WHERE company_id = $1 AND status <> 'OUTSIDE' AND balance_after < 0
          UNION ALL
          SELECT concat_ws(' ', business_date, ${CELL}), '>= 0', closing::text
            FROM (SELECT business_date, ${CELL}, sum(sum(qty)) OVER (PARTITION BY ${CELL} ORDER BY business_date) AS closing
                    FROM warehouse.stock_entry WHERE company_id = $1 AND status <> 'OUTSIDE' GROUP BY business_date, ${CELL}) AS d
           WHERE closing < 0`,
  },
  {
    code: 'I4',
    title: '待出库等于预留',
    text: '每个库位和批次的待出库数量等于未完成预留之和',
    sql: `SELECT concat_ws(' ', warehouse_id, product_id, location_id, lot_id) AS what, coalesce(r.qty, 0)::text AS expected,
                 coalesce(b.qty, 0)::text AS found
            FROM (SELECT warehouse_id, product_id, location_id, lot_id, qty FROM warehouse.stock_balance
                   WHERE company_id = $1 AND status = 'RESERVED' AND qty <> 0) AS b
            FULL JOIN (SELECT warehouse_id, product_id, location_id, lot_id, sum(held) AS qty FROM warehouse.reservation
                   WHERE company_id = $1 AND held <> 0 GROUP BY 1, 2, 3, 4) AS r
              USING (warehouse_id, product_id, location_id, lot_id)
           WHERE b.qty IS DISTINCT FROM r.qty`,
  },
  {
    code: 'I5',
    title: '成本层数量等于自有库存',
    text: '每个产品、仓库、批次的成本层剩余数量等于其自有数量（在途与在库分开计）',
    sql: `SELECT concat_ws(' ', product_id, warehouse_id, lot_id, in_transit) AS what, coalesce(b.qty, 0)::text AS expected,
                 coalesce(l.qty, 0)::text AS found
            FROM (SELECT product_id, warehouse_id, lot_id, status = 'IN_TRANSIT' AS in_transit, sum(qty) AS qty
                    FROM warehouse.stock_balance WHERE company_id = $1 AND status NOT IN ('OUTSIDE', 'EXPECTED')
                   GROUP BY 1, 2, 3, 4 HAVING sum(qty) <> 0) AS b
            FULL JOIN (SELECT product_id, warehouse_id, lot_id, in_transit, sum(qty_remaining) AS qty FROM warehouse.cost_layer
                   WHERE company_id = $1 AND open GROUP BY 1, 2, 3, 4) AS l USING (product_id, warehouse_id, lot_id, in_transit)
           WHERE b.qty IS DISTINCT FROM l.qty`,
  },
  {
    code: 'I6',
    title: '成本层金额守恒',
    text: '每个成本层的入层金额加平均分摊和月末结转减去已消耗金额等于剩余金额，用完的成本层金额为 0',
    sql: `SELECT l.id::text AS what, (l.amount_in + l.levelled + l.restated - coalesce(c.amount, 0)) || ' / ' || (l.qty_in - coalesce(c.qty, 0)) AS expected,
                 l.amount_remaining || ' / ' || l.qty_remaining AS found
            FROM warehouse.cost_layer AS l
            LEFT JOIN (SELECT layer_id, sum(amount) AS amount, sum(qty) AS qty FROM warehouse.layer_consumption
                        WHERE company_id = $1 GROUP BY 1) AS c ON c.layer_id = l.id
           WHERE l.company_id = $1 AND (l.amount_in + l.levelled + l.restated - coalesce(c.amount, 0) <> l.amount_remaining
              OR l.qty_in - coalesce(c.qty, 0) <> l.qty_remaining OR (l.qty_remaining = 0 AND l.amount_remaining <> 0)
              OR l.amount_remaining < 0)`,
  },
  {
    code: 'I6E',
    title: '流水金额等于成本层变动',
    text: '每个仓库和产品的流水金额合计等于成本层剩余金额',
    sql: `SELECT concat_ws(' ', product_id, warehouse_id) AS what, coalesce(l.amount, 0)::text AS expected, coalesce(e.amount, 0)::text AS found
            FROM (SELECT product_id, warehouse_id, sum(amount) AS amount FROM warehouse.stock_entry
                   WHERE company_id = $1 AND status <> 'OUTSIDE' GROUP BY 1, 2) AS e
            FULL JOIN (SELECT product_id, warehouse_id, sum(amount_remaining) AS amount FROM warehouse.cost_layer
                   WHERE company_id = $1 GROUP BY 1, 2) AS l USING (product_id, warehouse_id)
           WHERE coalesce(e.amount, 0) <> coalesce(l.amount, 0)`,
  },
  {
    code: 'I6L',
    title: '平均不增减金额',
    text: '移动加权在同一产品和仓库的成本层之间分摊的金额合计为 0',
    sql: `SELECT concat_ws(' ', product_id, warehouse_id) AS what, '0' AS expected, sum(levelled)::text AS found
            FROM warehouse.cost_layer WHERE company_id = $1 GROUP BY product_id, warehouse_id HAVING sum(levelled) <> 0`,
  },
  {
    code: 'I6M',
    title: '月末结转不增减金额',
    text: '月末加权在出库成本与成本层之间结转的金额合计为 0：出库多计多少，库存就少计多少',
    sql: `SELECT 'month' AS what, (-coalesce(c.amount, 0))::text AS expected, coalesce(l.amount, 0)::text AS found
            FROM (SELECT sum(amount) AS amount FROM warehouse.issue_cost WHERE company_id = $1 AND kind <> 'ON') AS c
           CROSS JOIN (SELECT sum(restated) AS amount FROM warehouse.cost_layer WHERE company_id = $1) AS l
           WHERE coalesce(c.amount, 0) + coalesce(l.amount, 0) <> 0`,
  },
  {
    code: 'I13',
    title: '日结存等于流水',
    text: '每个业务日的结存快照等于截至该日的流水合计（快照之后又有变动的除外）',
    sql: `WITH upto AS (SELECT coalesce((SELECT upto FROM warehouse.snapshot_progress WHERE company_id = $1), '0'::xid8) AS xid),
               fresh AS (SELECT DISTINCT e.warehouse_id, e.product_id, e.status FROM warehouse.stock_posting AS p
                           JOIN warehouse.stock_entry AS e ON e.company_id = $1 AND e.posting_id = p.id
                          WHERE p.company_id = $1 AND p.xid >= (SELECT xid FROM upto)),
               fold AS (SELECT warehouse_id, product_id, status, business_date,
                               sum(sum(qty)) OVER (PARTITION BY warehouse_id, product_id, status ORDER BY business_date) AS qty
                          FROM warehouse.stock_entry WHERE company_id = $1 AND status <> 'OUTSIDE' GROUP BY 1, 2, 3, 4)
          SELECT concat_ws(' ', business_date, warehouse_id, product_id, status) AS what, coalesce(f.qty::text, '-') AS expected,
                 coalesce(s.qty::text, '-') AS found
            FROM fold AS f
            FULL JOIN (SELECT * FROM warehouse.daily_snapshot WHERE company_id = $1) AS s
              USING (warehouse_id, product_id, status, business_date)
           WHERE f.qty IS DISTINCT FROM s.qty AND (warehouse_id, product_id, status) NOT IN (SELECT * FROM fresh)`,
  },
  {
    code: 'I14',
    title: '移动不改变库龄',
    text: '调拨、换货产生的成本层沿用上一层的首次入库日',
    sql: `SELECT c.id::text AS what, p.original_date::text AS expected, c.original_date::text AS found
            FROM warehouse.cost_layer AS c JOIN warehouse.cost_layer AS p ON p.company_id = $1 AND p.id = c.parent_layer_id
           WHERE c.company_id = $1 AND c.original_date <> p.original_date`,
  },
];

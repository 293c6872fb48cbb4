import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { positionOf, rolesOf } from '#modules/identity/server/index.ts';
import { CARD_KEYS, type CardKey, DEFAULT_CARDS } from '../../contract/card-list.ts';
import { type LayoutState, mayHave, type PlacedCard } from '../../contract/layout.ts';

/** What is stored: cards that an older or newer product knew as well. */
type StoredCard = Omit<PlacedCard, 'key'> & { key: string };

const CONFLICT = '布局已在其他窗口修改，请刷新';

function memberOf(ctx: Ctx): string {
  if (ctx.userId === null) throw notFound();
  return ctx.userId;
}

async function ownOf(ctx: Ctx): Promise<{ version: number; cards: StoredCard[] | null } | undefined> {
  const { rows } = await sql<{ version: number; cards: StoredCard[] | null }>`
    SELECT version, cards FROM dashboard.layout
     WHERE company_id = ${ctx.companyId} AND member_id = ${memberOf(ctx)}`.execute(ctx.db);
  return rows[0];
}

/** The template of the caller's first role, by name, that has one. */
async function templateOf(ctx: Ctx): Promise<StoredCard[] | undefined> {
  const held = (await positionOf(ctx, memberOf(ctx)))?.roles ?? [];
  if (held.length === 0) return undefined;
  const { rows } = await sql<{ role_id: string; cards: StoredCard[] }>`
    SELECT role_id, cards FROM dashboard.template
     WHERE company_id = ${ctx.companyId} AND role_id = ANY (${[...held]}::uuid[])`.execute(ctx.db);
  if (rows.length === 0) return undefined;
  const roles = await rolesOf(ctx);
  return roles.flatMap(({ id }) => rows.find((row) => row.role_id === id) ?? [])[0]?.cards;
}

function isKnown(card: StoredCard, offered: readonly CardKey[]): card is PlacedCard {
  return offered.some((key) => key === card.key);
}

/** What the caller's home page looks like: without cards that he may not have or that nobody knows. */
export async function layoutOf(ctx: Ctx): Promise<LayoutState> {
  const offered = CARD_KEYS.filter((key) => mayHave(key, (code) => can(ctx, code)));
  const own = await ownOf(ctx);
  const template = own?.cards ? undefined : await templateOf(ctx);
  const stored: readonly StoredCard[] = own?.cards ?? template ?? DEFAULT_CARDS;
  return {
    version: own?.version ?? 0,
    source: own?.cards ? 'own' : template ? 'template' : 'default',
    cards: stored.filter((card) => isKnown(card, offered)),
    offered,
  };
}

/**
 * Keeps an arrangement as the next version of the one that the window has read. @throws AppError 409 where another window
 * has saved, or gone back to the default, meanwhile
 */
export async function keepLayout(ctx: Ctx, version: number, cards: readonly PlacedCard[]): Promise<void> {
  const text = JSON.stringify(cards);
  const { numAffectedRows } =
    version === 0
      ? await sql`
          INSERT INTO dashboard.layout (company_id, member_id, version, cards)
          VALUES (${ctx.companyId}, ${memberOf(ctx)}, 1, ${text}::jsonb) ON CONFLICT DO NOTHING`.execute(ctx.db)
      : await sql`
          UPDATE dashboard.layout SET cards = ${text}::jsonb, version = version + 1, updated_at = kit.now()
           WHERE company_id = ${ctx.companyId} AND member_id = ${memberOf(ctx)} AND version = ${version}::int`.execute(
          ctx.db,
        );
  if (numAffectedRows !== 1n) throw conflict(CONFLICT);
}

/** Forgets the caller's arrangement. The version goes on, so that a window that still shows it cannot bring it back. */
export async function forgetLayout(ctx: Ctx): Promise<void> {
  await sql`
    UPDATE dashboard.layout SET cards = NULL, version = version + 1, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND member_id = ${memberOf(ctx)} AND cards IS NOT NULL`.execute(ctx.db);
}

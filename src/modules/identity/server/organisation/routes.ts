import { audit } from '#kit/server/audit.ts';
import { type AnyRoute, FileReply, serve, serveOpen } from '#kit/server/http/serve.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import * as depts from '../../contract/departments.ts';
import * as contract from '../../contract/roles.ts';
import * as users from '../../contract/sub-users.ts';
import {
  deleteDepartment,
  departmentChoices,
  departments,
  insertDepartment,
  treeOf,
  updateDepartment,
} from './departments.ts';
import { personDetail } from './people/detail.ts';
import { explain } from './people/explain.ts';
import { handOverTo, waiting } from './people/handover.ts';
import { checkImport, commitImport, HEADINGS } from './people/import.ts';
import { peopleCounts, peoplePage, peopleRows } from './people/list.ts';
import { choices } from './people/rights.ts';
import { addPerson, savePerson } from './people/save.ts';
import { disable, enable, remove, resetTo, signOff } from './people/state.ts';
import { insertRole } from './role-add.ts';
import { companyTree, menuOfRole, preview, saveMenusOfRole, scopesOfRole } from './role-view.ts';
import { deleteRole, roleOf, rolePage, roles, switchDimensions, updateRole } from './roles.ts';
import { dimensionList, optionsOf } from './scopes.ts';
import { templates } from './templates.ts';

const done = 'success' as const;

async function* each<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}

/** An empty sheet with the headings of the import. */
function template(): FileReply {
  const columns = HEADINGS.map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const stream = exportStream(each<object>([]), { format: 'xlsx', sheet: '子账号', columns });
  return new FileReply('子账号导入模板.xlsx', MEDIA_TYPES.xlsx, stream);
}

const peopleRoutes: AnyRoute[] = [
  serve(users.listSubUsers, (ctx, { body }) => peoplePage(ctx, body)),
  serve(users.countSubUsers, (ctx, { body }) => peopleCounts(ctx, body.filter)),
  serveOpen(users.exportSubUsers, (open, { body }) =>
    inTenant(
      open.runtime,
      open.principal,
      async (ctx) => {
        const rows = await peopleRows(ctx, body.filter);
        const columns = exportColumns(ctx, users.SubUserRow, body.columns);
        await audit(ctx, {
          action: '导出子账号',
          resource: 'identity.member',
          after: { filter: body.filter, rows: rows.length },
        });
        const stream = exportStream(each(rows), { format: body.format, sheet: '子账号', columns });
        return new FileReply(`子账号.${body.format}`, MEDIA_TYPES[body.format], stream);
      },
      { requestId: open.requestId, ip: open.ip },
    ),
  ),
  // Answers with passwords are given once and not kept for a repeated attempt, hence without the tenant's receipt.
  serveOpen(users.addSubUser, (open, { body }) => addPerson(open, body)),
  serveOpen(users.resetPassword, (open, { params }) => resetTo(open, params.id)),
  serve(users.saveSubUser, async (ctx, { params, body }) => {
    await savePerson(ctx, params.id, body);
    return done;
  }),
  serve(users.removeSubUsers, async (ctx, { params }) => {
    await remove(ctx, params.ids);
    return done;
  }),
  serve(users.enableSubUsers, async (ctx, { params }) => {
    await enable(ctx, params.ids);
    return done;
  }),
  serve(users.disableSubUsers, async (ctx, { params }) => {
    await disable(ctx, params.ids);
    return done;
  }),
  serve(users.forceOff, async (ctx, { params }) => ({ sessions: await signOff(ctx, params.ids) })),
  serve(users.subUserDetail, (ctx, { params }) => personDetail(ctx, params.id)),
  serve(users.roleChoices, (ctx) => choices(ctx)),
  serve(users.handoverPreview, async (ctx, { params }) => {
    await personDetail(ctx, params.id);
    return waiting(ctx, params.id);
  }),
  serve(users.handOver, (ctx, { body }) => handOverTo(ctx, body)),
  serveOpen(users.checkUserImport, (open) => checkImport(open)),
  serveOpen(users.commitUserImport, (open, { body }) => commitImport(open, body.lines)),
  serve(users.userImportTemplate, async () => template()),
  serve(users.explainRight, (ctx, { params, query }) => explain(ctx, params.id, query)),
];

const departmentRoutes: AnyRoute[] = [
  serve(depts.listDepartments, (ctx) => departments(ctx)),
  serve(depts.departmentTree, async (ctx) => treeOf(await departments(ctx))),
  serve(depts.departmentOptions, (ctx) => departmentChoices(ctx)),
  serve(depts.addDepartment, (ctx, { body }) => insertDepartment(ctx, body)),
  serve(depts.saveDepartment, async (ctx, { params, body }) => {
    await updateDepartment(ctx, params.id, body);
    return done;
  }),
  serve(depts.removeDepartment, async (ctx, { params }) => {
    await deleteDepartment(ctx, params.id);
    return done;
  }),
];

const roleRoutes: AnyRoute[] = [
  serve(contract.listRoles, (ctx) => roles(ctx)),
  serve(contract.pageRoles, (ctx, { body }) => rolePage(ctx, body)),
  serve(contract.addRole, (ctx, { body }) => insertRole(ctx, body)),
  serve(contract.saveRole, (ctx, { params, body }) => updateRole(ctx, params.id, body)),
  serve(contract.removeRole, async (ctx, { params }) => {
    await deleteRole(ctx, params.id);
    return done;
  }),
  serve(contract.rolePermissions, async (ctx, { params }) => {
    const { version, codes } = await roleOf(ctx, params.id);
    return { version, codes };
  }),
  serve(contract.saveRolePermissions, (ctx, { params, body }) => updateRole(ctx, params.id, body)),
  serve(contract.roleMenus, (ctx, { params }) => menuOfRole(ctx, params.id)),
  serve(contract.saveRoleMenus, (ctx, { params, body }) => saveMenusOfRole(ctx, params.id, body)),
  serve(contract.roleScopes, (ctx, { params }) => scopesOfRole(ctx, params.id)),
  serve(contract.saveRoleScopes, (ctx, { params, body }) => updateRole(ctx, params.id, body)),
  serve(contract.previewRole, (ctx, { params }) => preview(ctx, params.id)),
  serve(contract.companyMenuTree, (ctx) => companyTree(ctx)),
  serve(contract.roleTemplates, async (ctx) => templates(ctx.runtime.codes)),
  serve(contract.listDimensions, (ctx) => dimensionList(ctx)),
  serve(contract.saveDimensions, async (ctx, { body }) => {
    await switchDimensions(ctx, body.names);
    return done;
  }),
  serve(contract.dimensionOptions, (ctx, { params }) => optionsOf(ctx, params.name)),
];

export const organisationRoutes: AnyRoute[] = [...peopleRoutes, ...departmentRoutes, ...roleRoutes];

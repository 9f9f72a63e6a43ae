// Secrets for their managers: create, list, replace, remove (developer-api.md 7.13). A grant proves the check on an app or a workspace;
// rights on a secret given by its id are checked here.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import type { AuditKind } from "../../platform/audit/auditKinds.ts"
import { Conflict, NotFound, type Restricted, ValidationError } from "../../platform/primitives/errors.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { allowedWorkspaces, boundWorkspaces } from "../../platform/sharing/allowedUse.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { Access } from "../accounts/Access.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { makeVisibleWorkspaces } from "../accounts/visibleWorkspaces.ts"
import {
  isOfOrganization,
  type NewSecret,
  type SecretPatch,
  SecretRow,
  type SecretView,
  secretColumns,
  secretsPerOwner,
  secretValue,
  secretView
} from "./Secret.ts"
import { managesOrganization, mayManageOrganization, type SecretOwner, seesOrganization } from "./SecretOwner.ts"

export class SecretVault extends Context.Service<
  SecretVault,
  {
    /** @param userId null: the operator */
    readonly create: (
      owner: SecretOwner,
      secret: NewSecret,
      userId: number | null
    ) => Effect.Effect<SecretView, NotFound | Conflict | ValidationError>
    /** Owner for the operator: checks no rights. */
    readonly ownerAt: (kind: "org" | "workspace" | "app", id: number) => Effect.Effect<SecretOwner, NotFound>
    readonly list: (owner: SecretOwner) => Effect.Effect<ReadonlyArray<SecretView>>
    /** Views without the workspaces that the caller does not see, unless the caller decides which workspaces may use the secret. */
    readonly shown: (
      caller: CallerShape,
      secrets: ReadonlyArray<SecretView>
    ) => Effect.Effect<ReadonlyArray<SecretView>>
    /** Proof that the caller may manage it, or the answer why not; an unknown one looks like a foreign one. */
    readonly reach: (
      caller: CallerShape,
      secretId: number,
      what: "see" | "manage"
    ) => Effect.Effect<SecretView, NotFound | Restricted>
    readonly update: (
      secretId: number,
      patch: SecretPatch,
      userId: number | null
    ) => Effect.Effect<SecretView, NotFound | ValidationError>
    readonly remove: (secretId: number, userId: number | null) => Effect.Effect<SecretView, NotFound>
  }
>()("millrace/secrets/SecretVault") {
  static readonly layer = Layer.effect(
    SecretVault,
    Effect.suspend(() => make)
  )
}

const missing = (secretId: number) => new NotFound({ message: `No secret with id ${secretId}.` })

const NamedSecret = Schema.Struct({ name: Schema.String })

const SecretId = Schema.Struct({ secret_id: Schema.Int })

const OwnerOrg = Schema.Struct({ org_id: Schema.Int })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const secrets = yield* Secrets
  const access = yield* Access
  const audit = yield* AuditLog
  const columns = sql.literal(secretColumns)

  const ownerCondition = ({ appId, orgId, workspaceId }: SecretOwner) =>
    sql`org_id = ${orgId} AND workspace_id IS NOT DISTINCT FROM ${workspaceId}::bigint AND app_id IS NOT DISTINCT FROM ${appId}::bigint`

  /** Locks the owner, so that creations for one owner run one after another and the limit holds; the owner cannot be deleted meanwhile. */
  const lock = Effect.fnUntraced(function* ({ appId, orgId, workspaceId }: SecretOwner) {
    const rows =
      appId !== null
        ? yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} AND org_id = ${orgId} FOR NO KEY UPDATE`
        : workspaceId !== null
          ? yield* sql`SELECT 1 FROM workspaces WHERE workspace_id = ${workspaceId} AND org_id = ${orgId} FOR NO KEY UPDATE`
          : yield* sql`SELECT 1 FROM organizations WHERE org_id = ${orgId} FOR NO KEY UPDATE`
    if (rows.length === 0) return yield* new NotFound({ message: "What the secret is to belong to is gone." })
  })

  const recordEvent = (
    event: Extract<AuditKind, `secret.${string}`>,
    { app_id, name, org_id, secret_id, workspace_id }: SecretRow,
    userId: number | null,
    allowed?: SecretPatch["allowed"]
  ) =>
    audit.record({
      event,
      orgId: org_id,
      ...(userId === null ? {} : { userId }),
      details: { secret_id, name, workspace_id, app_id, ...(allowed === undefined ? {} : { allowed }) }
    })

  const create = Effect.fn("SecretVault.create")(
    function* (owner: SecretOwner, { allowed, description = null, name, value }: NewSecret, userId: number | null) {
      yield* lock(owner)
      const existingRows = yield* rowsOf(NamedSecret)(sql`SELECT name FROM secrets WHERE ${ownerCondition(owner)}`)
      if (existingRows.some((row) => row.name === name))
        return yield* new Conflict({
          message: `name: there is a secret ${JSON.stringify(name)} already; replace its value.`
        })
      if (existingRows.length >= secretsPerOwner)
        return yield* new ValidationError({ message: `There are at most ${secretsPerOwner} secrets in one place.` })
      const workspaces = boundWorkspaces(sql, yield* allowedWorkspaces(sql, owner.orgId, allowed))
      const nowDate = DateTime.toDate(yield* DateTime.now)
      const id = yield* rowOf(SecretId)(sql`
        SELECT nextval(pg_get_serial_sequence('secrets', 'secret_id')) AS secret_id`)
      const sealed = secrets.encrypt(value, secretValue.contextOf(id!))
      const row = yield* rowOf(SecretRow)(sql`
        INSERT INTO secrets (secret_id, org_id, workspace_id, app_id, name, description, value, allowed_workspaces, created_by, created_on,
          updated_by, updated_on)
        OVERRIDING SYSTEM VALUE VALUES (${id!.secret_id}, ${owner.orgId}, ${owner.workspaceId}, ${owner.appId}, ${name}, ${description},
          ${sealed}, ${workspaces}, ${userId}, ${nowDate}, ${userId}, ${nowDate})
        RETURNING ${columns}`)
      yield* recordEvent("secret.created", row!, userId, allowed)
      return secretView(row!)
    },
    sql.withTransaction,
    orSqlDefect
  )

  const ownerAt = Effect.fn("SecretVault.ownerAt")(function* (kind: "org" | "workspace" | "app", id: number) {
    const [row] =
      kind === "org"
        ? yield* rowsOf(OwnerOrg)(sql`SELECT org_id FROM organizations WHERE org_id = ${id}`)
        : kind === "workspace"
          ? yield* rowsOf(OwnerOrg)(sql`SELECT org_id FROM workspaces WHERE workspace_id = ${id}`)
          : yield* rowsOf(OwnerOrg)(sql`SELECT org_id FROM apps WHERE app_id = ${id}`)
    if (row === undefined)
      return yield* new NotFound({ message: `No ${kind === "org" ? "organization" : kind} with id ${id}.` })
    const owner: SecretOwner = {
      orgId: row.org_id,
      workspaceId: kind === "workspace" ? id : null,
      appId: kind === "app" ? id : null
    }
    return owner
  }, orSqlDefect)

  const list = Effect.fn("SecretVault.list")(function* (owner: SecretOwner) {
    const rows = yield* rowsOf(SecretRow)(
      sql`SELECT ${columns} FROM secrets WHERE ${ownerCondition(owner)} ORDER BY name`
    )
    return rows.map(secretView)
  }, orSqlDefect)

  const reach = Effect.fn("SecretVault.reach")(function* (
    caller: CallerShape,
    secretId: number,
    what: "see" | "manage"
  ) {
    const row = yield* rowOf(SecretRow)(sql`
      SELECT ${columns} FROM secrets WHERE secret_id = ${secretId} AND org_id = ${caller.orgId}`)
    if (row === undefined) return yield* missing(secretId)
    const { app_id, workspace_id } = row
    if (app_id === null && workspace_id === null) {
      if (!seesOrganization(caller)) return yield* missing(secretId)
      if (what === "manage") yield* mayManageOrganization(caller)
    } else {
      yield* (
        app_id === null ? access.check(caller, "workspace", workspace_id!, 5) : access.check(caller, "app", app_id, 5)
      ).pipe(Effect.catchTag(["NotFound", "RecordNotFound"], () => Effect.fail(missing(secretId))))
    }
    return secretView(row)
  }, orSqlDefect)

  const update = Effect.fn("SecretVault.update")(
    function* (secretId: number, { allowed, description, value }: SecretPatch, userId: number | null) {
      const formerRow = yield* rowOf(SecretRow)(
        sql`SELECT ${columns} FROM secrets WHERE secret_id = ${secretId} FOR UPDATE`
      )
      if (formerRow === undefined) return yield* missing(secretId)
      if (value === undefined && description === undefined && allowed === undefined) return secretView(formerRow)
      if (allowed !== undefined && !isOfOrganization(formerRow))
        return yield* new ValidationError({
          message: "allowed: one of a workspace or an app is used by its apps; only the organization's say who may."
        })
      const workspaces =
        allowed === undefined
          ? sql`allowed_workspaces`
          : boundWorkspaces(sql, yield* allowedWorkspaces(sql, formerRow.org_id, allowed))
      const nowDate = DateTime.toDate(yield* DateTime.now)
      const sealed = value === undefined ? null : secrets.encrypt(value, secretValue.contextOf(formerRow))
      const row = yield* rowOf(SecretRow)(sql`
        UPDATE secrets SET value = coalesce(${sealed}::bytea, value),
          description = ${description === undefined ? formerRow.description : description}, allowed_workspaces = ${workspaces},
          updated_by = ${userId}, updated_on = ${nowDate}
        WHERE secret_id = ${secretId} RETURNING ${columns}`)
      yield* recordEvent(value === undefined ? "secret.changed" : "secret.replaced", row!, userId, allowed)
      return secretView(row!)
    },
    sql.withTransaction,
    orSqlDefect
  )

  const remove = Effect.fn("SecretVault.remove")(
    function* (secretId: number, userId: number | null) {
      const row = yield* rowOf(SecretRow)(sql`DELETE FROM secrets WHERE secret_id = ${secretId} RETURNING ${columns}`)
      if (row === undefined) return yield* missing(secretId)
      yield* recordEvent("secret.removed", row, userId)
      return secretView(row)
    },
    sql.withTransaction,
    orSqlDefect
  )

  const visible = makeVisibleWorkspaces(sql)
  const limitToVisible = Effect.fn("SecretVault.shown")(function* (
    caller: CallerShape,
    all: ReadonlyArray<SecretView>
  ) {
    if (managesOrganization(caller)) return all
    const allowedIds = ({ allowed }: SecretView) => (allowed === null || allowed === "all" ? [] : allowed.workspace_ids)
    const visibleIds = new Set(yield* visible(caller, [...new Set(all.flatMap(allowedIds))]))
    return all.map(
      (one): SecretView =>
        one.allowed === null || one.allowed === "all"
          ? one
          : { ...one, allowed: { workspace_ids: one.allowed.workspace_ids.filter((id) => visibleIds.has(id)) } }
    )
  }, orSqlDefect)

  return SecretVault.of({ create, ownerAt, list, shown: limitToVisible, reach, update, remove })
})

// `organization import`: a new organization with the data of an export, of this installation or of another one (docs/operations.md, "Take an
// organization's data along"). Everything is read once before anything is written; killed at any moment, a repeat goes on.
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { syncImported } from "../../../domain/records/apps/calculationSources.ts"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { Name } from "../../../platform/primitives/commonSchemas.ts"
import { InputInvalid } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { FORMAT } from "../exportFiles.ts"
import { json, print } from "../output.ts"
import { openExport } from "./exportSource.ts"
import { type Blocks, type IdKind, idKinds } from "./IdBook.ts"
import type { Row } from "./ImportKind.ts"
import { discardImport } from "./importDiscard.ts"
import { writeOrder } from "./importKinds.ts"
import { advance, begin, type ImportProgress, progressOf } from "./importProgress.ts"
import { type Survey, surveyed } from "./importSurvey.ts"
import { makeWriting } from "./importWriting.ts"

const idColumns: Readonly<Record<string, IdKind>> = {
  workspace_id: "workspace",
  app_id: "app",
  hook_id: "hook",
  smtp_account_id: "smtp_account",
  authentication_provider_id: "provider"
}

const resultOf = ({ left, rows, told }: Survey, orgId: number, { blocks, org_id }: ImportProgress) => {
  const renamed = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([key, value]) => {
        const kind = idColumns[key]
        if (value === null) return []
        if (key === "allowed_workspaces" && Array.isArray(value))
          return [
            [key, value.filter((id) => told.book.has("workspace", id)).map((id) => told.book.to("workspace", id))]
          ]
        return [[key, kind === undefined ? value : told.book.to(kind, value as number)]]
      })
    )
  const { accounts, hooks, providers, secrets } = told.toEnter
  return {
    ...{ org_id, from_org_id: orgId, rows, left_out: left },
    /** Offset that was added to the ids of each kind; 0 if they stayed as they were. */
    ids_moved_by: Object.fromEntries(
      idKinds.flatMap((kind) => {
        const block = blocks[kind]
        return block === undefined ? [] : [[kind, block.first - block.low]]
      })
    ),
    to_enter: {
      ...{
        secrets: secrets.map(renamed),
        mail_accounts: accounts.map(renamed),
        providers: providers.map(renamed),
        hooks: hooks.map(renamed)
      },
      limits: told.limits
    }
  }
}
type ImportResult = ReturnType<typeof resultOf>

/** Finishes the import: sets what is valid only once all rows are there. */
const finish = Effect.fnUntraced(function* (survey: Survey, org: number) {
  const sql = yield* Sql
  const { book, statuses } = survey.told
  // A record that came while the export was written may have a number behind its app's counter.
  yield* sql`
    UPDATE app_counters c SET last_app_record_id = greatest(c.last_app_record_id,
      (SELECT coalesce(max(app_record_id), 0) FROM records r WHERE r.app_id = c.app_id))
    WHERE app_id IN (SELECT app_id FROM apps WHERE org_id = ${org})`
  const users = [...statuses].map(([user, status]) => ({ user_id: book.to("user", user), status }))
  yield* sql`
    UPDATE users u SET status = CASE WHEN p.password_hash IS NULL THEN 'invited' ELSE 'active' END
    FROM jsonb_to_recordset(${JSON.stringify(users)}::jsonb) AS x (user_id bigint, status text), people p
    WHERE u.user_id = x.user_id AND p.person_id = u.person_id AND u.org_id = ${org} AND x.status IN ('active', 'invited')`
  yield* syncImported(org)
})

export const importOrganization = Effect.fn("organizationImport")(function* (
  from: string,
  options: { readonly again: boolean; readonly title: string | undefined }
) {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const source = yield* openExport(from, FORMAT)
  const earlierProgress = yield* progressOf(source.name)
  if (earlierProgress !== undefined && earlierProgress.result !== null && !options.again)
    return earlierProgress.result as ImportResult
  if (earlierProgress?.discarding === true)
    return yield* new InputInvalid({
      message:
        "This import is being taken back: organization import --discard --yes goes on with that. Then it may be imported anew."
    })
  const survey = yield* surveyed(source)
  const { told } = survey
  const anew = earlierProgress === undefined || earlierProgress.result !== null
  const startedProgress = anew
    ? yield* sql.withTransaction(begin(source.name, told, options, writeOrder[0]!))
    : earlierProgress
  told.book.settle(startedProgress.blocks as Blocks)
  told.key = startedProgress.key
  const write = yield* makeWriting
  const progress = yield* write(source, told, startedProgress)
  const result = resultOf(survey, source.orgId, progress)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* finish(survey, progress.org_id)
      yield* advance(source.name, progress, { ...progress, result })
      const details = { by: "operator", from_org_id: source.orgId, rows: survey.rows }
      yield* audit.record({ event: "organization.imported", orgId: progress.org_id, details })
    })
  )
  return result
})

const printDiscarded = Effect.fnUntraced(function* (
  json: boolean,
  result: Effect.Success<ReturnType<typeof discardImport>>
) {
  if (json) return yield* print(true, result)
  const { discarded, org_id, rows } = result
  yield* print(false, { discarded: discarded ? "yes" : "no: this is what --yes would do", org_id })
  yield* print(
    false,
    Object.entries(rows).map(([kind, count]) => ({ kind, rows: count }))
  )
})

export const importCommand = Command.make(
  "import",
  {
    from: Flag.String("from").pipe(Flag.withDescription("Directory that `organization export` has written")),
    name: Flag.String("name").pipe(
      Flag.withDescription("Name of the new organization, instead of the one it had"),
      Flag.withSchema(Name),
      Flag.optional
    ),
    again: Flag.Boolean("again").pipe(
      Flag.withDescription("Import it once more, as another organization, though it is here already"),
      Flag.withDefault(false)
    ),
    discard: Flag.Boolean("discard").pipe(
      Flag.withDescription("Take back an import that was broken off: shows what would go; --yes carries it out"),
      Flag.withDefault(false)
    ),
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("With --discard: carry it out; it cannot be undone"),
      Flag.withDefault(false)
    ),
    json
  },
  ({ again, discard, from, json, name, yes }) =>
    Effect.gen(function* () {
      if (discard) {
        if (again || Option.isSome(name))
          return yield* new InputInvalid({ message: "--discard goes with --from and --yes alone." })
        return yield* printDiscarded(json, yield* discardImport(from, yes))
      }
      if (yes) return yield* new InputInvalid({ message: "--yes goes with --discard alone." })
      const result = yield* importOrganization(from, { again, title: Option.getOrUndefined(name) })
      if (json) return yield* print(true, result)
      const { from_org_id, ids_moved_by, left_out, org_id, rows, to_enter } = result
      const { limits, ...entries } = to_enter
      yield* print(false, { org_id, from_org_id, limits_to_set: limits })
      yield* print(
        false,
        Object.entries(rows).map(([kind, count]) => ({ kind, rows: count, left_out: left_out[kind] ?? 0 }))
      )
      yield* print(
        false,
        Object.entries(ids_moved_by).map(([ids, moved_by]) => ({ ids, moved_by }))
      )
      for (const [what, list] of Object.entries(entries))
        if (list.length > 0)
          yield* print(
            false,
            list.map((one) => ({ to_enter: what, ...one }))
          )
    })
).pipe(
  Command.withDescription(
    "Make a new organization of an export; again to go on where it was broken off. Nothing is written before all of it was read"
  )
)

// Automations: create, read, change, duplicate, list, validate, revisions (developer-api.md 7.1 to 7.3). AutomationStates.ts activates and
// pauses. Changes within an app go one after another, under the app's row (`FOR NO KEY UPDATE`, taken before automations').
import { randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AuditLog } from "../../../ground/audit/AuditLog.ts"
import { Conflict, type InputInvalid, NotFound, ValidationError } from "../../../ground/primitives/errors.ts"
import { countOf, rowOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { reachOf } from "../../accounts/Authority.ts"
import { debounceMistakes } from "../input/debounceMistakes.ts"
import { type CreateBody, type DuplicateBody, decodeUpdate, type UpdateBody } from "../input/decode.ts"
import { limitMistakes } from "../input/definitionLimits.ts"
import { duplicateIds, withFreshIds } from "../input/normalize.ts"
import { FORMAT, partOf } from "../input/stored.ts"
import { automationChanged } from "../model/automationChanged.ts"
import type { AnyTrigger, Definition } from "../model/Definition.ts"
import { mistakesText } from "../schema/path.ts"
import type { Concurrency } from "../schema/RunSettings.ts"
import type { BrokenReason, Warning } from "../schema/ValidationModel.ts"
import { mentionsOf } from "../validation/mentions.ts"
import { checkRow, isValid } from "../validation/validate.ts"
import { json, makeAutomationRevisionRows, type RevisionAuthor } from "./automationRevisionRows.ts"
import { DefinitionWarnings } from "./DefinitionWarnings.ts"
import { type DefinitionChange, diffOf } from "./definitionDiff.ts"
import { InboundAddresses } from "./InboundAddresses.ts"
import {
  type AutomationRow,
  type AutomationView,
  automationColumns,
  type RevisionView,
  readRow,
  StoredAutomation,
  statusOf,
  viewOf
} from "./StoredAutomation.ts"
import { ValidationModels } from "./ValidationModels.ts"

export const automationsPerApp = 500

export interface Validity {
  readonly valid: boolean
  readonly errors: ReadonlyArray<BrokenReason>
  /** Absent where there are none; they decide nothing. */
  readonly warnings?: ReadonlyArray<Warning>
}

const authorOf = ({ caller }: AccessGrant): RevisionAuthor => ({ userId: caller.userId, reach: reachOf(caller) })

interface Draft extends Definition {
  readonly name: string
  readonly description: string | null
  readonly timezone: string
  readonly on_failure_automation_id: number | null
  readonly concurrency: Concurrency | null
  readonly debounce_ms: number | null
}

const InboundToken = Schema.Struct({ hash: Schema.Uint8Array, sealed: Schema.Uint8Array })

export class Automations extends Context.Service<
  Automations,
  {
    /** Into the app of the grant. */
    readonly create: (grant: AccessGrant, body: CreateBody) => Effect.Effect<AutomationView, NotFound | ValidationError>
    readonly get: (grant: AccessGrant) => Effect.Effect<AutomationView, NotFound>
    /**
     * Who saves trigger, filter or actions becomes the owner, with the reach of the credential (decisions A20).
     * @param expected version of `If-Match`, when sent
     * @param belongs of the operator: `kept` leaves owner and reach, an author makes them the owner
     */
    readonly update: (
      grant: AccessGrant,
      body: UpdateBody,
      expected?: number,
      belongs?: "kept" | RevisionAuthor
    ) => Effect.Effect<AutomationView, NotFound | Conflict | ValidationError>
    /** @param into the app of the copy */
    readonly duplicate: (
      grant: AccessGrant,
      into: AccessGrant,
      body: DuplicateBody
    ) => Effect.Effect<AutomationView, NotFound | ValidationError>
    readonly validate: (grant: AccessGrant) => Effect.Effect<Validity, NotFound>
    readonly revisions: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<RevisionView>>
    readonly revision: (grant: AccessGrant, id: string) => Effect.Effect<RevisionView, NotFound>
    /** What differs between two of its revisions, from the first to the second (7.13). */
    readonly revisionDiff: (
      grant: AccessGrant,
      from: string,
      to: string
    ) => Effect.Effect<ReadonlyArray<DefinitionChange>, NotFound>
    /** Saves an earlier revision anew: validated as any save, and whoever restores becomes the owner (decisions A20). */
    readonly restore: (
      grant: AccessGrant,
      id: string,
      expected?: number,
      belongs?: "kept" | RevisionAuthor
    ) => Effect.Effect<AutomationView, NotFound | Conflict | InputInvalid | ValidationError>
    readonly view: (row: AutomationRow) => Effect.Effect<AutomationView>
  }
>()("millrace/automations/definitions/Automations") {
  static readonly layer = Layer.effect(
    Automations,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const inbound = yield* InboundAddresses
      const models = yield* ValidationModels
      const audit = yield* AuditLog
      const warned = yield* DefinitionWarnings
      const { authorNow, insertRevision, revision, revisions } = makeAutomationRevisionRows(sql)
      const columns = sql.literal(automationColumns)

      const view = (row: AutomationRow) => Effect.map(inbound.urlOf(row), (url) => viewOf(row, url))
      const find = Effect.fnUntraced(function* (id: number, lock: boolean) {
        const row = yield* rowOf(StoredAutomation)(sql`
          SELECT ${columns} FROM automations x JOIN apps a USING (app_id)
          WHERE x.automation_id = ${id} AND x.deleted_on IS NULL ${sql.literal(lock ? "FOR UPDATE OF x" : "")}`)
        return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
      })
      const lockApp = Effect.fnUntraced(function* (appId: number) {
        const rows = yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} FOR NO KEY UPDATE`
        if (rows.length === 0) return yield* new NotFound({ message: `No app with id ${appId}.` })
      })

      const insert = Effect.fnUntraced(function* (grant: AccessGrant, draft: Draft) {
        const mistakes = debounceMistakes(draft)
        if (mistakes.length > 0) return yield* new ValidationError({ message: mistakesText(mistakes, {}) })
        yield* lockApp(grant.appId)
        const count = yield* countOf(sql`
          SELECT count(*)::int AS n FROM automations WHERE app_id = ${grant.appId} AND deleted_on IS NULL`)
        if (count >= automationsPerApp) {
          return yield* new ValidationError({ message: `An app has at most ${automationsPerApp} automations.` })
        }
        const now = DateTime.toDate(yield* DateTime.now)
        const token = draft.trigger?.type === "webhook_received" ? inbound.mint() : null
        const named = namedIds(draft)
        const stored = yield* rowOf(StoredAutomation)(sql`
          WITH x AS (
            INSERT INTO automations (org_id, app_id, owner_id, name, description, timezone, on_failure_automation_id, concurrency,
              debounce_ms, revision_id, trigger, filter, actions, format, field_ids, app_ids, automation_ids, inbound_hash,
              inbound_sealed, created_on, updated_on)
            VALUES (${grant.orgId}, ${grant.appId}, ${grant.caller.userId}, ${draft.name}, ${draft.description}, ${draft.timezone},
              ${draft.on_failure_automation_id}, ${json(draft.concurrency)}::jsonb, ${draft.debounce_ms},
              nextval(pg_get_serial_sequence('automation_revisions', 'revision_id')),
              ${json(draft.trigger)}::jsonb, ${json(draft.filter)}::jsonb, ${json(draft.actions)}::jsonb,
              ${FORMAT}, ${named.fields}::text[]::bigint[], ${named.apps}::text[]::bigint[], ${named.automations}::text[]::bigint[],
              ${token?.hash ?? null}::bytea, ${token?.sealed ?? null}::bytea, ${now}, ${now})
            RETURNING *)
          SELECT ${columns} FROM x JOIN apps a USING (app_id)`)
        const row = readRow(stored!)
        if (row.on_failure_automation_id === row.automation_id)
          return yield* new ValidationError({ message: OF_ITSELF })
        yield* insertRevision(row, authorOf(grant), now)
        return yield* view(row)
      })

      const create = Effect.fn("Automations.create")(
        (grant: AccessGrant, body: CreateBody) =>
          insert(grant, {
            name: body.name,
            description: body.description ?? null,
            timezone: body.timezone ?? "UTC",
            on_failure_automation_id: body.on_failure_automation_id ?? null,
            concurrency: body.concurrency ?? null,
            debounce_ms: body.debounce_ms ?? null,
            trigger: body.trigger ?? null,
            filter: body.filter ?? null,
            actions: body.actions ?? []
          }),
        sql.withTransaction,
        orSqlDefect
      )

      const get = Effect.fn("Automations.get")(
        (grant: AccessGrant) => Effect.flatMap(find(grant.id, false), view),
        orSqlDefect
      )

      const update = Effect.fn("Automations.update")(
        function* (grant: AccessGrant, body: UpdateBody, expected?: number, belongs?: "kept" | RevisionAuthor) {
          yield* lockApp(grant.appId)
          const before = yield* find(grant.id, true)
          if (expected !== undefined && expected !== before.version) {
            return yield* new Conflict({
              message: `If-Match names version ${expected}; the automation is at version ${before.version}.`
            })
          }
          const left = before.unreadable.filter(({ code }) => body[partOf(code)] === undefined)
          if (left.length > 0) {
            const message = `What no longer reads has to be sent anew: ${left.map((reason) => partOf(reason.code)).join(", ")}.`
            return yield* new Conflict({ message, errors: left })
          }
          const now = DateTime.toDate(yield* DateTime.now)
          const trigger = body.trigger === undefined ? before.trigger : body.trigger
          const filter = body.filter === undefined ? before.filter : body.filter
          const actions = body.actions ?? before.actions
          const description = body.description === undefined ? before.description : body.description
          // What is sent alone has passed already: beside what is stored it may be too much, or name a node twice.
          const whole = { trigger, filter, actions }
          const concurrency = body.concurrency === undefined ? before.concurrency : body.concurrency
          const debounce_ms = body.debounce_ms === undefined ? before.debounce_ms : body.debounce_ms
          const mistakes = [
            ...limitMistakes(whole),
            ...duplicateIds(whole),
            ...debounceMistakes({ trigger, debounce_ms })
          ]
          if (mistakes.length > 0) return yield* new ValidationError({ message: mistakesText(mistakes, {}) })
          const onFailure =
            body.on_failure_automation_id === undefined
              ? before.on_failure_automation_id
              : body.on_failure_automation_id
          if (onFailure === grant.id) return yield* new ValidationError({ message: OF_ITSELF })
          const named = namedIds({ trigger, filter, actions, on_failure_automation_id: onFailure })
          const kept = belongs === "kept" || (belongs === undefined && !savesRights(body))
          const author =
            belongs !== undefined && belongs !== "kept" ? belongs : kept ? yield* authorNow(before) : authorOf(grant)
          const token = yield* keptToken(before, trigger)
          const written = yield* rowOf(StoredAutomation)(sql`
            WITH x AS (
              UPDATE automations SET owner_id = ${author.userId}, name = ${body.name ?? before.name}, description = ${description},
                timezone = ${body.timezone ?? before.timezone}, on_failure_automation_id = ${onFailure},
                concurrency = ${json(concurrency)}::jsonb, debounce_ms = ${debounce_ms},
                trigger = ${json(trigger)}::jsonb, filter = ${json(filter)}::jsonb,
                actions = ${json(actions)}::jsonb, format = ${FORMAT}, version = version + 1,
                revision_id = nextval(pg_get_serial_sequence('automation_revisions', 'revision_id')),
                field_ids = ${named.fields}::text[]::bigint[], app_ids = ${named.apps}::text[]::bigint[],
                automation_ids = ${named.automations}::text[]::bigint[],
                inbound_hash = ${token.hash}::bytea, inbound_sealed = ${token.sealed}::bytea, updated_on = ${now}
              WHERE automation_id = ${grant.id} RETURNING *)
            SELECT ${columns} FROM x JOIN apps a USING (app_id)`)
          const after = readRow(written!)
          yield* insertRevision(after, author, now)
          if (author.userId !== before.owner_id) yield* handedOver(before, after, now)
          // Runs that wait for a turn, or to fire, follow the settings in whatever state the automation is.
          const settled = isDeepStrictEqual([concurrency, debounce_ms], [before.concurrency, before.debounce_ms])
          if (statusOf(after) === "active" || !settled) yield* outbox.append([automationChanged(after, "updated")])
          return yield* view(after)
        },
        sql.withTransaction,
        orSqlDefect
      )

      /** The audit log keeps both owners; the former one is told by mail. */
      const handedOver = Effect.fnUntraced(function* (before: AutomationRow, after: AutomationRow, now: Date) {
        const { automation_id, org_id, owner_id } = after
        yield* audit.record({
          event: "automation.owner_changed",
          orgId: org_id,
          userId: owner_id,
          details: { automation_id, owner: owner_id, former_owner: before.owner_id }
        })
        yield* sql`
          INSERT INTO automation_notices (automation_id, org_id, kind, cause, user_id, created_on)
          SELECT ${automation_id}, ${org_id}, 'taken_over', name, ${before.owner_id}, ${now} FROM users WHERE user_id = ${owner_id}`
      })

      /** Stable while the trigger type stays, void when it changes (7.9). */
      const keptToken = Effect.fnUntraced(function* (before: AutomationRow, trigger: AnyTrigger | null) {
        if (trigger?.type !== "webhook_received") return { hash: null, sealed: null }
        if (before.trigger?.type !== "webhook_received") return inbound.mint()
        const kept = yield* rowOf(InboundToken)(sql`
          SELECT inbound_hash AS hash, inbound_sealed AS sealed FROM automations WHERE automation_id = ${before.automation_id}`)
        return kept!
      })

      const duplicate = Effect.fn("Automations.duplicate")(
        function* (grant: AccessGrant, into: AccessGrant, body: DuplicateBody) {
          const source = yield* find(grant.id, false)
          if (source.unreadable.length > 0) {
            return yield* new ValidationError({ message: source.unreadable.map(({ message }) => message).join("\n") })
          }
          const copy = withFreshIds(source, randomUUID)
          const { concurrency, debounce_ms, description, timezone } = source
          const on_failure_automation_id = into.appId === source.app_id ? source.on_failure_automation_id : null
          const kept = { concurrency, debounce_ms, description, timezone, on_failure_automation_id }
          return yield* insert(into, { ...copy, name: body.name ?? copyName(source.name), ...kept })
        },
        sql.withTransaction,
        orSqlDefect
      )

      const validity = Effect.fn("Automations.validate")(function* (grant: AccessGrant) {
        const row = yield* find(grant.id, false)
        const model = yield* models.load(row)
        const errors = checkRow(row, model)
        const warnings = yield* warned.of(row, model, grant.caller)
        return { valid: isValid(errors), errors, ...(warnings.length === 0 ? {} : { warnings }) }
      }, orSqlDefect)

      const revisionDiff = Effect.fn("Automations.revisionDiff")(function* (
        grant: AccessGrant,
        from: string,
        to: string
      ) {
        const before = contentOfRevision(yield* revision(grant, from))
        return diffOf(before, contentOfRevision(yield* revision(grant, to)))
      })

      const restore = Effect.fn("Automations.restore")(function* (
        grant: AccessGrant,
        id: string,
        expected?: number,
        belongs?: "kept" | RevisionAuthor
      ) {
        const content = contentOfRevision(yield* revision(grant, id))
        const body = yield* Effect.fromResult(decodeUpdate(content, randomUUID))
        return yield* update(grant, body, expected, belongs)
      })

      return Automations.of({
        ...{ create, get, update, duplicate, validate: validity, view },
        ...{ revisions, revision, revisionDiff, restore }
      })
    })
  )
}

const OF_ITSELF = "on_failure_automation_id: an automation is not called when it fails itself."

/** What decides what runs do. */
const savesRights = ({ actions, filter, trigger }: UpdateBody) =>
  trigger !== undefined || filter !== undefined || actions !== undefined
/** What a revision defines: its members but those that the service assigns. */
const contentOfRevision = ({
  automation_id: _,
  broken: __,
  created_at: ___,
  id: ____,
  paused: _____,
  ...content
}: RevisionView) => content
const copyName = (name: string) => `${name.slice(0, 4990)} (copy)`.toWellFormed()
const namedIds = (definition: Definition) => {
  const mentions = mentionsOf(definition)
  return {
    fields: [...mentions.fields].map(String),
    apps: [...mentions.apps].map(String),
    automations: [...mentions.automations].map(String)
  }
}

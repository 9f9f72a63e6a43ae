// Automations: create, read, change, duplicate, list, validate, revisions (developer-api.md 7.1 to 7.3). AutomationTransitions.ts activates and
// pauses. Changes within an app are serialized by a lock on the app's row (`FOR NO KEY UPDATE`, taken before automations').
import { randomUUID } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import { Context, DateTime, Effect, Layer } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import {
  Conflict,
  type InputInvalid,
  type NotFound,
  type OwnerLost,
  ValidationError
} from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { reachOf } from "../../accounts/Authority.ts"
import { type CreateBody, type DuplicateBody, decodeUpdate, type UpdateBody } from "../input/automationBodies.ts"
import { withFreshIds } from "../input/nodeIds.ts"
import { partOf } from "../input/storedDefinition.ts"
import { makeAutomationAudit } from "../model/automationAudit.ts"
import { automationChanged } from "../model/automationChanged.ts"
import { makeAutomationSwitch } from "../model/automationSwitch.ts"
import { makeRefusedSenders } from "../model/refusedSenders.ts"
import type { BrokenReason, Warning } from "../schema/ValidationModel.ts"
import { isValid } from "../validation/validateDefinition.ts"
import {
  changedDraft,
  contentOfRevision,
  copiedDraft,
  type Draft,
  draftMistakes,
  draftOf,
  OF_ITSELF,
  savesRights,
  savesTagsAlone
} from "./automationDrafts.ts"
import { makeAutomationRevisions, type RevisionAuthor, type RevisionsPart } from "./automationRevisions.ts"
import { makeAutomationRows } from "./automationRows.ts"
import { statusOf } from "./automationStatus.ts"
import { type AutomationView, type RevisionView, viewOf } from "./automationView.ts"
import { DefinitionChecks } from "./DefinitionChecks.ts"
import { DefinitionWarnings } from "./DefinitionWarnings.ts"
import { type DefinitionChange, diffOf } from "./definitionDiff.ts"
import { InboundAddresses } from "./InboundAddresses.ts"
import type { AutomationRow } from "./StoredAutomation.ts"

const automationsPerApp = 500

export interface Validity {
  readonly valid: boolean
  readonly errors: ReadonlyArray<BrokenReason>
  /** Absent if there are none; they do not affect `valid`. */
  readonly warnings?: ReadonlyArray<Warning>
}

const authorOf = ({ caller }: AccessGrant): RevisionAuthor => ({ userId: caller.userId, reach: reachOf(caller) })

export class Automations extends Context.Service<
  Automations,
  {
    /** Creates an automation in the app of the grant. */
    readonly create: (grant: AccessGrant, body: CreateBody) => Effect.Effect<AutomationView, NotFound | ValidationError>
    readonly get: (grant: AccessGrant) => Effect.Effect<AutomationView, NotFound>
    /**
     * Saves changes. A user who saves trigger, filter or actions becomes the owner, with the reach of their credential (decisions A20).
     * Tags alone are saved without a revision.
     * @param expected version of `If-Match`, when sent
     * @param belongs for operators: `kept` keeps owner and reach, an author becomes the owner
     */
    readonly update: (
      grant: AccessGrant,
      body: UpdateBody,
      expected?: number,
      belongs?: "kept" | RevisionAuthor
    ) => Effect.Effect<AutomationView, NotFound | Conflict | ValidationError>
    /** @param into grant for the app of the copy */
    readonly duplicate: (
      grant: AccessGrant,
      into: AccessGrant,
      body: DuplicateBody
    ) => Effect.Effect<AutomationView, NotFound | ValidationError>
    readonly validate: (grant: AccessGrant) => Effect.Effect<Validity, NotFound | OwnerLost>
    readonly revisions: (grant: AccessGrant, part?: RevisionsPart) => Effect.Effect<ReadonlyArray<RevisionView>>
    readonly revision: (grant: AccessGrant, id: string) => Effect.Effect<RevisionView, NotFound>
    /** Returns the changes between two of its revisions, from the first to the second (7.13). */
    readonly revisionDiff: (
      grant: AccessGrant,
      from: string,
      to: string
    ) => Effect.Effect<ReadonlyArray<DefinitionChange>, NotFound>
    /** Saves an earlier revision anew: validated like any save, and the user who restores it becomes the owner (decisions A20). */
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
      const checks = yield* DefinitionChecks
      const warned = yield* DefinitionWarnings
      const { authorNow, insertRevision, revision, revisions } = makeAutomationRevisions(sql)
      const { change, changeTags, countIn, find, handedOver, insert, lockApp } = yield* makeAutomationRows

      const audited = yield* makeAutomationAudit
      const refusedSenders = makeRefusedSenders(sql)
      const { activate } = yield* makeAutomationSwitch

      const view = (row: AutomationRow) => Effect.map(inbound.urlOf(row), (url) => viewOf(row, url))

      const make = Effect.fnUntraced(function* (grant: AccessGrant, draft: Draft) {
        const mistakes = draftMistakes(draft)
        if (mistakes !== undefined) return yield* new ValidationError({ message: mistakes })
        yield* lockApp(grant.appId)
        if ((yield* countIn(grant.appId)) >= automationsPerApp) {
          return yield* new ValidationError({ message: `An app has at most ${automationsPerApp} automations.` })
        }
        const nowDate = DateTime.toDate(yield* DateTime.now)
        const row = yield* insert(grant, draft, nowDate)
        if (row.on_failure_automation_id === row.automation_id)
          return yield* new ValidationError({ message: OF_ITSELF })
        yield* insertRevision(row, authorOf(grant), nowDate)
        yield* audited("automation.created", row)
        return yield* view(row)
      })

      const create = Effect.fn("Automations.create")(
        (grant: AccessGrant, body: CreateBody) => make(grant, draftOf(body)),
        sql.withTransaction,
        orSqlDefect
      )

      const get = Effect.fn("Automations.get")(function* (grant: AccessGrant) {
        const row = yield* find(grant.id, false)
        const refused_senders =
          row.inbound_sealed === null ? undefined : yield* refusedSenders.lately(row.automation_id)
        return { ...(yield* view(row)), ...(refused_senders === undefined ? {} : { refused_senders }) }
      }, orSqlDefect)

      /** True if the save mends an automation that was paused for its failures: its definition differs, and would be activated. */
      const mended = Effect.fnUntraced(function* (grant: AccessGrant, before: AutomationRow, after: AutomationRow) {
        const definition = ({ actions, filter, trigger }: AutomationRow) => [trigger, filter, actions]
        if (before.paused_reason === null || isDeepStrictEqual(definition(before), definition(after))) return false
        return yield* checks.of(after, grant.caller, "activate").pipe(
          Effect.map(({ errors }) => isValid(errors)),
          // Its owner may not run it: it stays paused.
          Effect.catchTag("OwnerLost", () => Effect.succeed(false))
        )
      })

      const expectVersion = ({ version }: AutomationRow, expected: number | undefined) =>
        expected === undefined || expected === version
          ? Effect.void
          : Effect.fail(
              new Conflict({
                message: `If-Match names version ${expected}; the automation is at version ${version}.`
              })
            )

      /** Saves tags where they differ; nothing that runs is told of it. */
      const retag = Effect.fnUntraced(function* (row: AutomationRow, tags: ReadonlyArray<string>) {
        if (isDeepStrictEqual(row.tags, tags)) return row
        const changedRow = yield* changeTags(row.automation_id, tags, DateTime.toDate(yield* DateTime.now))
        yield* audited("automation.changed", changedRow, { version: changedRow.version, changed: ["tags"] })
        return changedRow
      })

      const update = Effect.fn("Automations.update")(
        function* (grant: AccessGrant, body: UpdateBody, expected?: number, belongs?: "kept" | RevisionAuthor) {
          yield* lockApp(grant.appId)
          const previousRow = yield* find(grant.id, true)
          const isAboutTags = savesTagsAlone(body) && (belongs === undefined || belongs === "kept")
          if (isAboutTags) {
            yield* expectVersion(previousRow, expected)
            return yield* view(yield* retag(previousRow, body.tags ?? []))
          }
          const unreadableParts = previousRow.unreadable.filter(({ code }) => body[partOf(code)] === undefined)
          if (unreadableParts.length > 0) {
            const message = `What no longer reads has to be sent anew: ${unreadableParts.map((reason) => partOf(reason.code)).join(", ")}.`
            return yield* new Conflict({ message, errors: unreadableParts })
          }
          const draft = changedDraft(previousRow, body)
          const mistakes = draftMistakes(draft, grant.id)
          if (mistakes !== undefined) return yield* new ValidationError({ message: mistakes })
          yield* expectVersion(previousRow, expected)
          const kept = belongs === "kept" || (belongs === undefined && !savesRights(body))
          const author =
            belongs !== undefined && belongs !== "kept"
              ? belongs
              : kept
                ? yield* authorNow(previousRow)
                : authorOf(grant)
          const nowDate = DateTime.toDate(yield* DateTime.now)
          const changedRow = yield* change(previousRow, draft, author.userId, nowDate)
          yield* insertRevision(changedRow, author, nowDate)
          yield* audited("automation.changed", changedRow, { version: changedRow.version, changed: Object.keys(body) })
          if (author.userId !== previousRow.owner_id) yield* handedOver(previousRow, changedRow, nowDate)
          if (yield* mended(grant, previousRow, changedRow)) {
            yield* activate(changedRow, nowDate)
            return yield* view(yield* find(grant.id, false))
          }
          // Runs that are queued or debounced follow the settings, whatever the automation's status.
          const settings = ({ concurrency, debounce_ms }: Draft | AutomationRow) => [concurrency, debounce_ms]
          const hasSameSettings = isDeepStrictEqual(settings(draft), settings(previousRow))
          if (statusOf(changedRow) === "active" || !hasSameSettings)
            yield* outbox.append([automationChanged(changedRow, "updated")])
          return yield* view(changedRow)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const duplicate = Effect.fn("Automations.duplicate")(
        function* (grant: AccessGrant, into: AccessGrant, body: DuplicateBody) {
          const source = yield* find(grant.id, false)
          if (source.unreadable.length > 0) {
            return yield* new ValidationError({ message: source.unreadable.map(({ message }) => message).join("\n") })
          }
          return yield* make(into, copiedDraft(source, withFreshIds(source, randomUUID), body.name, into.appId))
        },
        sql.withTransaction,
        orSqlDefect
      )

      const validity = Effect.fn("Automations.validate")(function* (grant: AccessGrant) {
        const row = yield* find(grant.id, false)
        const { errors, model } = yield* checks.of(row, grant.caller)
        const warnings = yield* warned.of(row, model, grant.caller)
        return { valid: isValid(errors), errors, ...(warnings.length === 0 ? {} : { warnings }) }
      }, orSqlDefect)

      const revisionDiff = Effect.fn("Automations.revisionDiff")(function* (
        grant: AccessGrant,
        from: string,
        to: string
      ) {
        const previousContent = contentOfRevision(yield* revision(grant, from))
        return diffOf(previousContent, contentOfRevision(yield* revision(grant, to)))
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

// Automations with their revisions as an import makes them (docs/operations.md): read anew by the schemas of this release, with new ids
// wherever a definition names one, and none of them at work: somebody of the organization activates them.
import { Schema } from "effect"
import { replaceIds } from "../../../domain/automations/definitions/portableNames.ts"
import { Tags } from "../../../domain/automations/input/automationTags.ts"
import { FORMAT, readStored } from "../../../domain/automations/input/storedDefinition.ts"
import { Concurrency, DebounceMs, PauseAfterFailures } from "../../../domain/automations/schema/RunSettings.ts"
import type { IdBook, IdKind } from "./IdBook.ts"
import { bytea, count, flag, id, kind, leftOut, orNull, taken, text, time } from "./ImportKind.ts"

const parts = { trigger: Schema.Unknown, filter: Schema.Unknown, actions: Schema.Unknown, format: Schema.Int }
type Parts = Schema.Struct.Type<typeof parts>

/** Whatever it says of its format: the schemas judge it. What no longer reads stays as it is, and says so. */
export const importedParts = ({ actions, filter, trigger }: Omit<Parts, "format">, book: IdBook): Parts => {
  const storedParts = { actions, filter, trigger, format: 0 }
  const { definition, unreadable } = readStored(storedParts)
  const { actions: steps, filter: condition, trigger: fires } = unreadable.length === 0 ? definition : storedParts
  const renamed = replaceIds({ trigger: fires, filter: condition, actions: steps }, ({ id, kind }) =>
    book.to(kind, Number(id.slice(id.indexOf("/") + 1)))
  ) as Omit<Parts, "format">
  return { ...renamed, format: unreadable.length === 0 ? FORMAT : 0 }
}

const ids = Schema.Array(id)
const mapIds = (list: ReadonlyArray<number>, of: IdKind, book: IdBook) => list.map((one) => book.to(of, one))

export const Reach = Schema.Struct({
  scopes: Schema.optionalKey(Schema.Array(text)),
  workspaces: Schema.optionalKey(ids),
  apps: Schema.optionalKey(ids)
})
export const importedReach = (reach: typeof Reach.Type | null, book: IdBook) =>
  reach === null
    ? null
    : {
        ...reach,
        ...(reach.workspaces === undefined ? {} : { workspaces: mapIds(reach.workspaces, "workspace", book) }),
        ...(reach.apps === undefined ? {} : { apps: mapIds(reach.apps, "app", book) })
      }

const isInbound = (trigger: unknown) => (trigger as { readonly type?: unknown } | null)?.type === "webhook_received"

export const importedAutomations = {
  automations: kind({
    row: Schema.Struct({
      ...{ automation_id: id, org_id: id, app_id: id, owner_id: id, name: text, description: orNull(text) },
      ...{ timezone: text, paused: flag, broken: flag, broken_reason: Schema.Unknown, activated_on: orNull(time) },
      ...{ version: count, revision_id: id, ...parts, trigger_type: orNull(text) },
      ...{ field_ids: ids, app_ids: ids, automation_ids: ids, on_failure_automation_id: orNull(id) },
      ...{ created_on: time, updated_on: time, deleted_on: orNull(time), apply_key: orNull(text) },
      ...{ concurrency: orNull(Concurrency), debounce_ms: orNull(DebounceMs) },
      pause_after_failures: Schema.optionalKey(orNull(PauseAfterFailures)),
      tags: Schema.optionalKey(Tags)
    }),
    id: ["automation_id", "automation"],
    of: { org_id: "org", app_id: "app", owner_id: "user" },
    names: { revision_id: "definition", on_failure_automation_id: "automation" },
    change: ({ broken: _, broken_reason: __, trigger_type: ___, ...row }, { book, definitions, mint }) => {
      definitions.set(row.revision_id, row.automation_id)
      const token = isInbound(row.trigger) && row.deleted_on === null ? mint() : null
      return taken({
        ...row,
        ...importedParts(row, book),
        ...{ paused: true, broken: false },
        field_ids: mapIds(row.field_ids, "field", book),
        app_ids: mapIds(row.app_ids, "app", book),
        automation_ids: mapIds(row.automation_ids, "automation", book),
        inbound_hash: token === null ? null : bytea(token.hash),
        inbound_sealed: token === null ? null : bytea(token.sealed)
      })
    }
  }),
  automation_revisions: kind({
    row: Schema.Struct({
      ...{ revision_id: id, automation_id: id, version: orNull(count), author_id: orNull(id), reach: orNull(Reach) },
      ...{ name: text, timezone: text, paused: flag, broken: flag, ...parts, created_on: time }
    }),
    id: ["revision_id", "definition"],
    of: { automation_id: "automation" },
    names: { author_id: "user" },
    change: (row, { book, defined, definitions }) => {
      const present = definitions.get(row.revision_id) === row.automation_id
      if (present) defined.add(row.automation_id)
      // A definition without a version that is not the automation's own was tried out once: it belongs to that run, and is left out.
      if (row.version === null && !present) return leftOut
      return taken({ ...row, ...importedParts(row, book), reach: importedReach(row.reach, book) })
    }
  })
}

// Interfaces for resolving values and evaluating filters, as the executor and the actions use them (developer-api.md 7.4; A6 to A12).
import { Context, type Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DateSource } from "../schema/fieldAssignments.ts"
import type {
  Code,
  FilterGroup,
  IdOrReference,
  Reference,
  RelativeDate,
  Template,
  TemplateWithSecrets
} from "./Definition.ts"
import type { RunScope } from "./RunScope.ts"
import type { Step, StepFailed } from "./Step.ts"

type Resolved<A> = Effect.Effect<A, StepFailed | SqlError>

/**
 * Format in which a template's references are written: as they are, HTML-escaped, percent-encoded, as JSON within its strings (7.4, 7.6),
 * or as a list of addresses, whose entries may be references of their own.
 */
export type TextTarget = "text" | "html" | "url" | "json" | "addresses"

/** Date or instant. `timed: false`: a calendar date, with `at` its midnight in the automation's zone. */
export interface ResolvedDate {
  readonly at: Date
  readonly timed: boolean
  /** Text as stored in a cell: `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, UTC. */
  readonly text: string
}

/** Items that a loop or a rollup iterates over. */
export type Iterable =
  | { readonly type: "records"; readonly app_id: number; readonly record_ids: ReadonlyArray<number> }
  | { readonly type: "values"; readonly values: ReadonlyArray<unknown> }

export class Values extends Context.Service<
  Values,
  {
    /** Returns the text of a template. */
    readonly text: (template: Template, scope: RunScope, target?: TextTarget) => Resolved<string>
    /** Returns the text that a step sends. Its secrets are resolved with the author's present rights (7.13). */
    readonly textToSend: (template: TemplateWithSecrets, step: Step, target?: TextTarget) => Resolved<string>
    /** Returns the value of a code value: one expression in the synchronous sandbox (8.1). */
    readonly code: (code: Code, scope: RunScope) => Resolved<unknown>
    /** Returns the default code value of a reference, or of its `property`. */
    readonly reference: (reference: Reference, scope: RunScope) => Resolved<unknown>
    /** Returns the ids of a list of ids and references, without empty ones. */
    readonly ids: (ids: ReadonlyArray<IdOrReference>, scope: RunScope) => Resolved<ReadonlyArray<number>>
    /** Returns the ids of the files that the reference holds. */
    readonly fileIds: (reference: Reference, scope: RunScope) => Resolved<ReadonlyArray<number>>
    /** Returns null if the source resolves to nothing. */
    readonly date: (date: DateSource | RelativeDate | Template, scope: RunScope) => Resolved<ResolvedDate | null>
    /** Returns the items. A null or empty source gives no items; a source that cannot be iterated fails with a readable message. */
    readonly iterable: (reference: Reference, scope: RunScope) => Resolved<Iterable>
  }
>()("millrace/automations/model/Values") {}

export class Filters extends Context.Service<
  Filters,
  {
    /** Returns true if the group matches; null always does. `undefined` counts as `false`. */
    readonly matches: (group: FilterGroup | null, scope: RunScope) => Resolved<boolean>
  }
>()("millrace/automations/model/Filters") {}

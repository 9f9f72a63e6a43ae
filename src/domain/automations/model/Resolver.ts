// Resolution of values and decision of filters, as the executor and the actions use them (developer-api.md 7.4; A6 to A12).
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
 * How a template is written: references as they are, HTML-escaped, percent-encoded, as JSON within its strings (7.4, 7.6); as a list
 * of addresses, whose entries may be parts of their own.
 */
export type TextTarget = "text" | "html" | "url" | "json" | "addresses"

/** A date or an instant. `timed: false`: a calendar date, `at` its midnight in the automation's zone. */
export interface ResolvedDate {
  readonly at: Date
  readonly timed: boolean
  /** As stored in a cell: `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`, UTC. */
  readonly text: string
}

/** What a loop or a rollup goes through. */
export type Iterable =
  | { readonly type: "records"; readonly app_id: number; readonly record_ids: ReadonlyArray<number> }
  | { readonly type: "values"; readonly values: ReadonlyArray<unknown> }

export class Values extends Context.Service<
  Values,
  {
    /** The text of a template. */
    readonly text: (template: Template, scope: RunScope, target?: TextTarget) => Resolved<string>
    /** The same of what a step sends: the secrets in it are given by the author's present rights (7.13). */
    readonly textToSend: (template: TemplateWithSecrets, step: Step, target?: TextTarget) => Resolved<string>
    /** The value of a code value: one expression in the synchronous sandbox (8.1). */
    readonly code: (code: Code, scope: RunScope) => Resolved<unknown>
    /** The default code value of a reference, or of its `property`. */
    readonly reference: (reference: Reference, scope: RunScope) => Resolved<unknown>
    /** The ids that a list of ids and references gives, empties left out. */
    readonly ids: (ids: ReadonlyArray<IdOrReference>, scope: RunScope) => Resolved<ReadonlyArray<number>>
    /** Null when it resolves to nothing. */
    readonly date: (date: DateSource | RelativeDate | Template, scope: RunScope) => Resolved<ResolvedDate | null>
    /** Null or empty: zero times; fails with a readable message when it cannot be iterated. */
    readonly iterable: (reference: Reference, scope: RunScope) => Resolved<Iterable>
  }
>()("millrace/automations/model/Values") {}

export class Filters extends Context.Service<
  Filters,
  {
    /** Whether the group matches; null always does. `undefined` decides nothing else than `false`. */
    readonly matches: (group: FilterGroup | null, scope: RunScope) => Resolved<boolean>
  }
>()("millrace/automations/model/Filters") {}

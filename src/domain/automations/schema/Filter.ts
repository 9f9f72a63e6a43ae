// Filter tree: groups, conditions, script conditions and the tagged value union (service.md 2.7 "Filter tree").
import { Schema } from "effect"
import { list, sizes, token } from "../../../platform/bounds/sized.ts"
import { recursive, unset } from "./combinators.ts"
import { Code, IdOrReference, Reference, RelativeDate, Template } from "./dynamicValues.ts"
import { operatorTokens } from "./operators.ts"

/** Day or instant relative to a base. */
export const DateValue = Schema.Struct({ type: Schema.Literal("date"), date: RelativeDate })

export const FilterValue = Schema.Union([
  Schema.Struct({ type: Schema.Literal("text"), text: Template }),
  Schema.Struct({ type: Schema.Literal("number"), number: Code }),
  Schema.Struct({ type: Schema.Literal("ids"), ids: list(IdOrReference, sizes.ids) }),
  DateValue,
  Schema.Struct({ type: Schema.Literal("boolean"), boolean: Schema.Boolean }),
  Schema.Struct({ type: Schema.Literal("entity_type"), entity_type: Schema.Literals(["comment", "reply"]) })
]).annotate({ identifier: "FilterValue" })
export type FilterValue = typeof FilterValue.Type

const nodeId = { id: unset(token.check(Schema.isNonEmpty()).annotate({ description: "Opaque; minted when left out" })) }

export const Condition = Schema.Struct({
  ...nodeId,
  subject: Reference,
  operator: Schema.Literals(operatorTokens),
  value: unset(FilterValue)
}).annotate({ identifier: "FilterCondition" })
export type Condition = typeof Condition.Type

export const ScriptCondition = Schema.Struct({ ...nodeId, code: Code }).annotate({ identifier: "ScriptCondition" })
export type ScriptCondition = typeof ScriptCondition.Type

export interface FilterGroup {
  readonly id?: string
  readonly operator: "and" | "or"
  readonly rows: ReadonlyArray<FilterRow>
}
export type FilterRow = FilterGroup | Condition | ScriptCondition

export const isGroup = (row: FilterRow): row is FilterGroup => "rows" in row
/** True for a condition on a change of its subject (write rule 7): stored by others, never written here, has no operator. */
export const isChange = (row: Condition): boolean => (row as Partial<Condition>).operator === undefined
export const isScript = (row: FilterRow): row is ScriptCondition => "code" in row

const Row: Schema.Codec<FilterRow, unknown> = recursive("FilterRow", () => FilterRow)

export const FilterGroup = Schema.Struct({
  ...nodeId,
  operator: Schema.Literals(["and", "or"]),
  rows: list(Row, sizes.definitionList)
}).annotate({ identifier: "FilterGroup" })

/** Rows of a group. schemaMistakes.ts tells the three kinds apart by `rows`, `code`, `subject` to name mistakes precisely. */
export const FilterRow = Schema.Union([FilterGroup, ScriptCondition, Condition]) as unknown as Schema.Codec<
  FilterRow,
  unknown
>

/** Match condition or branch condition inside an action; reads `null` when left out. */
export const filterOrNull = Schema.NullOr(FilterGroup)

// Warns about conditions that select records for a writing step and may be left out (service.md 2.7 write rule 4; decisions A27). A
// condition whose comparison value resolves to nothing matches every record, so the step would write to the wrong ones. Pure.
import { endsRun } from "../actions/exit/spec.ts"
import { actionSpec } from "../actions/registry.ts"
import type { Action, Definition } from "../model/Definition.ts"
import { variableName } from "../model/RunScope.ts"
import { type Condition, type FilterGroup, isChange, isGroup, isScript } from "../schema/Filter.ts"
import { referenceLabel } from "../schema/referenceLabels.ts"
import type { ValidationModel, Warning } from "../schema/ValidationModel.ts"
import { actionFilters, isReference, ownConfig, rowsOf, valuesIn } from "../schema/walk.ts"
import { both, type Known, mayBeEmpty, whereMatched, whereNot } from "./emptyReferences.ts"

interface Suspect {
  readonly action: Action
  readonly row: Condition
}

/** Conditions that selected the records of each app's present collection. */
type Suspects = Map<number, ReadonlyArray<Suspect>>

interface Walk {
  readonly model: ValidationModel
  readonly suspects: Suspects
  /** Conditions that selected the records from which a variable's value comes, by the variable's internal name. */
  readonly variables: Map<string, ReadonlyArray<Suspect>>
  readonly told: Set<Condition>
}

const writeScopes: ReadonlySet<string> = new Set(["records:edit", "records.comments:edit", "automations:run"])

/** Yields the leaves that widen the selection when they are left out: those of an `or` only if all of its rows may be left out. */
function* leavesOf(group: FilterGroup, may: (row: Condition) => boolean): Iterable<Condition> {
  const leafRows = group.rows.filter((row): row is Condition => !isGroup(row) && !isScript(row))
  const widening = leafRows.filter((row) => !isChange(row) && may(row))
  if (group.operator === "and" || widening.length === group.rows.length) yield* widening
  for (const row of group.rows) if (isGroup(row)) yield* leavesOf(row, may)
}

export function* emptyConditions({ actions, filter }: Definition, model: ValidationModel): Iterable<Warning> {
  const walk: Walk = { model, suspects: new Map(), variables: new Map(), told: new Set() }
  yield* inList(actions, whereMatched(filter, model), [], walk)
}

const live = (list: ReadonlyArray<Action>) => list.filter((action) => action.deactivate !== true)

/** @param around conditions that selected the records of the enclosing loops */
function* inList(
  list: ReadonlyArray<Action>,
  known: Known,
  around: ReadonlyArray<Suspect>,
  walk: Walk
): Generator<Warning> {
  let currentFacts = known
  for (const action of live(list)) {
    const stepConfig = ownConfig(action)
    const stepSuspects = [...around, ...suspectsOf(stepConfig, walk)]
    if (isWriting(action)) yield* told(stepSuspects, action, walk)
    remember(action, currentFacts, walk)
    for (const def of actionSpec(action.type).declares?.(action.config as never) ?? [])
      walk.variables.set(variableName(def.label), stepSuspects)
    const [first, second] = rowsOf(action).map(({ actions, key }) => ({ actions, key }))
    if (action.type === "for_loop") {
      yield* inList(first?.actions ?? [], currentFacts, stepSuspects, walk)
      continue
    }
    if (action.type !== "conditional") continue
    const condition = (action.config["condition"] ?? null) as FilterGroup | null
    const [matched, otherwise] = [whereMatched(condition, walk.model), whereNot(condition)]
    for (const branch of [first, second]) {
      if (branch === undefined) continue
      const branchFacts = branch.key === "action_rows" ? matched : otherwise
      yield* inList(branch.actions, both(currentFacts, branchFacts), around, walk)
      // After a branch that ends the run, the other branch was taken.
      if (live(branch.actions).some(endsRun))
        currentFacts = both(currentFacts, branch.key === "action_rows" ? otherwise : matched)
    }
  }
}

const isWriting = ({ config, type }: Action): boolean =>
  actionSpec(type).scopes.some((scope) => writeScopes.has(scope)) ||
  (type === "custom_code" && JSON.stringify(config["code"]).includes("api."))

/** Returns the app whose records a collecting step selects, by the path of its filter. */
const appOf = ({ config }: Action, path: ReadonlyArray<PropertyKey>): number | undefined => {
  const [key, index] = path
  const holder = key === "ref_collection_defs" ? config["ref_collection_defs"]?.[index as number] : config
  return holder?.app_id ?? config["record_collection"]?.app_id
}

const chooses: ReadonlySet<string> = new Set([
  ...["collect_app_records", "collect_referenced_records", "collected_records_collect_referenced_records"],
  ...["collect_app_view_records", "filter_record_collection"]
])

const remember = (action: Action, known: Known, { model, suspects }: Walk) => {
  if (action.type === "clear_record_collection") suspects.delete(action.config["record_collection"]?.app_id)
  if (!chooses.has(action.type)) return
  const narrows = action.type === "filter_record_collection"
  const suspectsByApp = new Map<number, Array<Suspect>>()
  const ownAppId = action.config["app_id"] as number | undefined
  if (ownAppId !== undefined) suspectsByApp.set(ownAppId, [])
  for (const { group, path } of actionFilters(action)) {
    const app = appOf(action, path)
    if (app === undefined) continue
    const may = ({ value }: Condition) => value !== undefined && mayBeEmpty(value, known, model)
    const rows = [...leavesOf(group, may)].map((row): Suspect => ({ action, row }))
    suspectsByApp.set(app, [...(suspectsByApp.get(app) ?? []), ...rows])
  }
  for (const [app, rows] of suspectsByApp) suspects.set(app, [...(narrows ? (suspects.get(app) ?? []) : []), ...rows])
}

/** Returns the conditions that selected the records which a config reads. */
const suspectsOf = (config: unknown, { model, suspects, variables }: Walk): ReadonlyArray<Suspect> => {
  const foundSuspects = new Set<Suspect>()
  const add = (some: ReadonlyArray<Suspect> | undefined) => {
    for (const suspect of some ?? []) foundSuspects.add(suspect)
  }
  for (const value of valuesIn(config)) {
    if (!isReference(value)) continue
    if (value.source === "custom") add(variables.get(variableName(value.label)))
    else if (value.source === "action" && value.action_type === "record_collection") {
      if (value.app_id === undefined) for (const some of suspects.values()) add(some)
      else add(suspects.get(value.app_id))
    } else if (value.source === "field" && value.collection)
      add(suspects.get(model.fields.get(value.field_id)?.app_id ?? 0))
    else if (value.source === "meta" && value.collection === true) add(suspects.get(value.app_id ?? model.app_id))
  }
  const text = JSON.stringify(config)
  for (const [name, some] of variables) if (text.includes(name)) add(some)
  return [...foundSuspects]
}

function* told(suspects: ReadonlyArray<Suspect>, writer: Action, { model, told: known }: Walk): Iterable<Warning> {
  const labelOf = (id: number) => model.fields.get(id)?.label
  for (const { action, row } of suspects) {
    if (known.has(row)) continue
    known.add(row)
    const values = [...valuesIn(row.value)].filter(isReference).map((value) => referenceLabel(value, labelOf))
    const what = values.length === 0 ? "its value" : [...new Set(values)].join(", ")
    const step = writer.custom_name ?? actionSpec(writer.type).label
    yield {
      code: "condition_may_be_left_out",
      message: `The condition on ${referenceLabel(row.subject, labelOf)} is left out where ${what} is empty: then every record matches, and the step ${JSON.stringify(step)} goes on with one that nobody meant. Ask before whether it is empty.`,
      block_id: row.id ?? action.id,
      action_id: action.id
    }
  }
}

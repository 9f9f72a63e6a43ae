// Values that the steps of a run have published for later steps (developer-api.md 7.4, 7.7): read once, then kept up to date by `absorb`.
import { Effect } from "effect"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { CustomDef } from "../model/Definition.ts"
import { tokensIn } from "../model/sealedValues.ts"
import type { RunContext } from "./RunContext.ts"
import type { LoadedRun, StoredOutput } from "./RunRow.ts"
import type { RunStore } from "./RunStore.ts"
import type { VariableRow } from "./runData.ts"

type Def = Pick<CustomDef, "custom_type" | "label">
export const sameDef = (a: Def, b: Def): boolean => a.custom_type === b.custom_type && a.label === b.label

/** @param secrets receives the tokens of weblinks that variables hold */
export const makePublishedValues = (
  store: RunStore["Service"],
  { fresh, run: { run_id: runId } }: LoadedRun,
  secrets: Set<string>
) => {
  let cached: { readonly variables?: Array<VariableRow>; readonly outputs?: Array<StoredOutput> } = fresh
    ? { variables: [], outputs: [] }
    : {}

  // A failed read (Postgres away) is not cached: the caller waits and reads again.
  const variables = Effect.suspend(() => {
    if (cached.variables !== undefined) return Effect.succeed(cached.variables)
    return Effect.map(store.variables(runId), (rows) => {
      for (const text of tokensIn(rows)) secrets.add(text)
      const variables = [...rows]
      cached = { ...cached, variables }
      return variables
    })
  }).pipe(orSqlDefect)
  const outputs = Effect.suspend(() => {
    if (cached.outputs !== undefined) return Effect.succeed(cached.outputs)
    return Effect.map(store.outputs(runId), (rows) => {
      const outputs = [...rows] as Array<StoredOutput>
      cached = { ...cached, outputs }
      return outputs
    })
  }).pipe(orSqlDefect)

  const snapshot = () => {
    const savedValues = cached
    return () => {
      cached = savedValues
    }
  }

  const absorb: RunContext["absorb"] = ({ variables: set, outputs: published }) => {
    if (set.length === 0 && published.length === 0) return
    let { outputs, variables } = cached
    for (const row of variables === undefined ? [] : set) {
      variables = [...variables!.filter((one) => !sameDef(one as Def, row as Def)), row]
    }
    for (const row of outputs === undefined ? [] : published) {
      outputs = [...outputs!.filter(({ app_id, type }) => type !== row.type || app_id !== row.app_id), row]
    }
    cached = { ...(variables === undefined ? {} : { variables }), ...(outputs === undefined ? {} : { outputs }) }
  }

  return { variables, outputs, load: Effect.andThen(variables, Effect.asVoid(outputs)), snapshot, absorb }
}

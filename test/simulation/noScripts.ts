// No processes for scripts: they would take most of the time of a schedule, whose scripts are values as JSON.
import { Effect, Layer } from "effect"
import type { Sandbox } from "../../src/platform/sandbox/Sandbox.ts"

export const withoutScripts = <M extends { readonly Sandbox: typeof Sandbox }>(module: M): M => {
  const layer = Layer.mock(module.Sandbox, {
    runSync: ({ source }) =>
      Effect.sync(() => ({
        ...{ value: JSON.parse(source), undefined: false, vars: {}, logs: [], cpuMillis: 0, wallMillis: 0 }
      }))
  })
  Object.assign(module.Sandbox, { layer })
  return module
}

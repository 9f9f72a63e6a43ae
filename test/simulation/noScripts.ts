// No processes for scripts: they would take most of the time of a schedule, which has no scripts.
import { Layer } from "effect"
import type { Sandbox } from "../../src/platform/sandbox/Sandbox.ts"

export const withoutScripts = <M extends { readonly Sandbox: typeof Sandbox }>(module: M): M => {
  Object.assign(module.Sandbox, { layer: Layer.mock(module.Sandbox, {}) })
  return module
}

// Services that values, filters and steps share; built once per process.
import { Layer } from "effect"
import { Sandbox } from "../../../platform/sandbox/Sandbox.ts"
import { References } from "./resolveReference.ts"
import { Scripts } from "./resolveScript.ts"

export const ValueParts = Scripts.layer.pipe(Layer.provideMerge(References.layer), Layer.provideMerge(Sandbox.layer))

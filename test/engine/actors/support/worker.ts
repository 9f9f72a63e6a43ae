// The process that test/engine/actors/support/process.ts starts.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Layer } from "effect"
import { behaviour } from "./behaviour.ts"
import { layerWorker, type Setting } from "./harness.ts"
import { makeTestKind } from "./testKind.ts"

const setting = JSON.parse(process.env["SETTING"] ?? "{}") as Setting

Layer.launch(layerWorker(setting, makeTestKind(behaviour))).pipe(NodeRuntime.runMain)

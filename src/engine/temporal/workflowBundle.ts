// The workflow bundle, built once and kept for all processes of a person, keyed by everything that can be in it.
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleWorkflowCode } from "@temporalio/worker"
import { kept, keptFolder } from "../../../bin/parts/kept.js"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const workflowsPath = join(root, "workflows/index.ts")

const quiet = () => undefined
const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet }

/** Always built anew. */
export const buildBundle = () => bundleWorkflowCode({ workflowsPath, logger })

/** Path of the bundle of this release; built in about three seconds where it is not there yet. */
export const bundlePath = (): Promise<string> =>
  kept({
    folder: keptFolder("workflows"),
    name: "millrace-workflows",
    suffix: ".js",
    make: async (draft) => writeFile(draft, (await buildBundle()).code)
  })

// Bundles the workflows in the file named by the argument. A process of its own (src/engine/temporal/workflowBundle.ts): bundler and
// compiler take more memory than the service does, and a process keeps what it took.
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { bundleWorkflowCode } from "@temporalio/worker"
import { root } from "./environment.js"

const logNothing = () => undefined
const logger = {
  log: logNothing,
  trace: logNothing,
  debug: logNothing,
  info: logNothing,
  warn: logNothing,
  error: logNothing
}

const { code } = await bundleWorkflowCode({ workflowsPath: join(root, "workflows/index.ts"), logger })
await writeFile(resolve(root, process.argv[2] ?? ""), code)

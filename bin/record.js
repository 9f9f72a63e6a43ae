#!/usr/bin/env node
// npm run record -- NAME: records the history of a workflow for the replay tests (test/workflows/scenarios.ts).
import { runTarget } from "./parts/run.js"

await runTarget("test/workflows/record.ts", { development: true })

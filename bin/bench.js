#!/usr/bin/env node
// npm run bench [-- NAME]: measures this service and a peer in the same run.
import { runTarget } from "./parts/run.js"

await runTarget("bench/main.ts", { development: true })

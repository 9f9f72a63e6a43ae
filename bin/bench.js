#!/usr/bin/env node
// npm run bench [-- NAME]: measures this service and a peer in the same run. The peers are packages of bench/ alone.
import { runTarget } from "./parts/run.js"

await runTarget("bench/main.ts", { development: true, packages: "bench" })

#!/usr/bin/env node
// npm run demo: imports a public data set through the public API of the service that runs here.
import { runTarget } from "./parts/run.js"

await runTarget("demo/main.ts", { development: true, service: true })

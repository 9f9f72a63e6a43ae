#!/usr/bin/env node
// npm run disturb [-- NAME]: kills parts of a working service at random moments and checks the data afterwards.
import { runTarget } from "./parts/run.js"

await runTarget("bench/disturb/main.ts", { development: true })

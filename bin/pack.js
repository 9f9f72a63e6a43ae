#!/usr/bin/env node
// Builds the programs as JavaScript in dist/ before `npm pack`, since Node runs no TypeScript below node_modules; removes them after it
// (--clean).
import { runTarget } from "./parts/run.js"

await runTarget("bin/parts/pack.js")

#!/usr/bin/env node
// Before `npm pack`: the programs as JavaScript in dist/, since Node runs no TypeScript below node_modules. After it (--clean): gone again.
import { runTarget } from "./parts/run.js"

await runTarget("bin/parts/pack.js")

// Every export here is a workflow type; export nothing else.
export { automationsApp, calendar, webhooksApp } from "./actor.ts"
export { housekeeping } from "./housekeeping.ts"
export { job } from "./job.ts"
export { automationRun } from "./run.ts"
export { automationTick } from "./tick.ts"
export { verifyHook } from "./verifyHook.ts"

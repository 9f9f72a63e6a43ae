// Outcome of a step that a simulation does not carry out (developer-api.md 7.11): it is `skipped`, with a message that tells what it would do.
// Steps that change records, send mail or call over HTTP return it; collects and code run.
import { type StepOutcome, skipped } from "../model/Step.ts"

/** @param preview sentence of what the step would do: "record 2 would be updated." */
export const skipInSimulation = (preview: string): StepOutcome => skipped(`Simulation: ${preview}`)

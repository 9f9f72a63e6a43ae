// Effects of cancel, terminate and reset on each type of workflow (design: actors, automations as durable executions), shown in the
// workflow's details in the Temporal UI. docs/operations.md has the same table; a test holds one against the other.

const actor = {
  cancel: "safe: the sweep starts it again while rows wait",
  terminate: "safe, likewise; what was in flight is taken over after the heartbeat timeout",
  reset: "safe, but pointless: its past is of no interest"
}

export const interventions = {
  automationRun: {
    cancel: "safe: the run ends as `cancelled`, finished steps stay",
    terminate: "safe: `reconcile` marks the run `cancelled` within 3 minutes, finished steps stay",
    reset:
      "safe: it asks its row where it stands, no finished step is repeated, a delay keeps its instant; a run that is over stays over"
  },
  automationTick: {
    cancel: "safe: the next tick finds the same instant",
    terminate: "safe, likewise",
    reset: "safe: an instant fires once"
  },
  webhooksApp: actor,
  automationsApp: actor,
  calendar: actor,
  verifyHook: {
    cancel: "the code stays valid until it expires; ask for a new one",
    terminate: "likewise",
    reset: "safe"
  },
  job: {
    cancel: "safe: the batch under way is rolled back, the job ends as `cancelled`, what is done stays done",
    terminate: "safe: it is started again within a minute and goes on where it was",
    reset: "safe: it asks its row where it stands, no batch is repeated"
  },
  housekeeping: {
    cancel: "safe: the next round does it",
    terminate: "safe, likewise",
    reset: "safe"
  }
} as const

export type InterventionsOf = keyof typeof interventions

/** Markdown, for the static details of a workflow. */
export const interventionDetails = (type: InterventionsOf): string => {
  const { cancel, reset, terminate } = interventions[type]
  return [`- Cancel: ${cancel}.`, `- Terminate: ${terminate}.`, `- Reset: ${reset}.`].join("\n")
}

// Texts of the editor's sample data.

export const sampleBar = {
  noRecordYet: "no record yet",
  lastRequest: "last request",
  noneNeeded: "none needed",
  noRecordId: (recordId: number) => `No. ${recordId}`,
  runId: (runId: string) => `run ${runId}`,
  pastedPayload: "pasted payload",
  stepThatWasDeleted: "a step that was deleted",
  runIdFailed: (id: string) => `Run ${id} failed`,
  at: (name: string) => `at “${name}”`,
  showTheStep: "Show the step",
  publishAndRunFromHere: "Publish and run from here",
  itCannotGo: (changed: string) =>
    `It cannot go on from here: ${changed} had finished and was changed since. Undo that change, or retry the run from its start.`,
  itDidNotGoOn: "It did not go on.",
  sample: "Sample",
  sampleSampleName: (sampleName: string) => `Sample: ${sampleName}`,
  savesAndRunsAllSteps: "Saves, and runs all steps with the sample",
  runsAllSteps: "Runs all steps with the sample",
  publishAndTestAll: "Publish and test all",
  testAll: "Test all",
  otherwiseStepsOnlySay: "Otherwise steps only say what they would write, send and call",
  forReal: "For real: write, send and call",
  testing: "Testing",
  openTheRun: "Open the run",
  askedForNo: "Asked for. No run comes where the filter turns the record away.",
  itWasNotTested: "It was not tested."
} as const

export const samplePicker = {
  recordsOf: (name: string) => `Records of ${name}`,
  findARecord: "Find a record",
  countRecords: (count: number) => `${count} records`,
  loadingTheRecordsFailed: "Loading the records failed.",
  appHasNoRecordYet: "The app has no record yet.",
  noRecordBegins: "No record begins or is called so.",
  noRecordId: (recordId: number) => `No. ${recordId}`,
  latestRuns: "Latest runs",
  loadingTheRunsFailed: "Loading the runs failed.",
  itHasNotRunYet: "It has not run yet.",
  runId: (id: string) => `Run ${id}`,
  aPayload: "A payload",
  pasteWhatTheWebhookBrings: "Paste what the webhook brings. It is not remembered when you leave.",
  payload: "Payload",
  useThisPayload: "Use this payload"
} as const

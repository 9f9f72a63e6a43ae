// Texts of the versions of an automation and their differences.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const differences = {
  values: "Values",
  always: "Always",
  theTrigger: "The trigger",
  theFilter: "The filter",
  theAutomation: "The automation",
  triggerFilterAndSteps: "Trigger, filter and steps are the same: something beside them was saved.",
  wasKinds: (name: string, kinds: string) => `${name} was ${kinds}`,
  flowOfVersion: (version: number) => `The flow of version ${version}, with what changed`,
  loadingTheDifferencesFailed: "Loading the differences failed."
} as const

export const revisionsPage = {
  restoreThisVersion: "Restore this version",
  restoreVersion: (version: number) => `Restore version ${version}?`,
  restoreIt: "Restore it",
  itsNameTriggerFilter:
    "Its name, trigger, filter and steps become the present ones, as a new version: nothing of the history is lost. You are the owner from then on, and its runs work with your rights. Runs that are under way go on as they began.",
  itWasNotRestored: "It was not restored.",
  whatVersionChanged: (version: number) => `What version ${version} changed`,
  fromVersionToVersion: (version: number, later: number) => `From version ${version} to version ${later}`,
  compareVersionWith: (version: number) => `Compare version ${version} with`,
  anotherVersion: "another version",
  versionVersion: (version: number, suffix: string) => `Version ${version}${suffix}`,
  present: " (present)",
  itIsTheFirstOne: (count: number) =>
    plural(count, { one: "It is the first one, with one step.", other: `It is the first one, with ${count} steps.` }),
  whatRestoringItWouldChange: "What restoring it would change",
  versions: "Versions",
  automations: "Automations",
  automation: "Automation",
  eachSaveIsAVersion: "Each save is a version. What it changed is told step by step; any of them can be brought back.",
  allVersions: "All versions",
  versionVersionSuffix: (version: number, suffix: ReactNode) => nodes`Version ${version}${suffix}`,
  loadingVersionsFailed: "Loading versions failed.",
  showOlderVersions: "Show older versions",
  loadingOlderVersionsFailed: "Loading older versions failed."
} as const

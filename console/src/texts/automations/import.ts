// Texts of exported files of automations, and of their import.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const exportButton = {
  export: "Export",
  itWasNotExported: "It was not exported."
} as const

export const importPage = {
  fileIsLargerThanHalf: "The file is larger than half a megabyte: that is no automation.",
  fileIsNeitherJsonNor: (suffix: string) => `The file is neither JSON nor YAML: ${suffix}`,
  fileHoldsNoAutomation: "The file holds no automation.",
  importAnAutomation: "Import an automation",
  automations: "Automations",
  fileThatWasExportedHere:
    "A file that was exported here or elsewhere names apps, fields and people instead of numbering them. Imported again, it changes the automation that it has made.",
  theFile: "The file",
  fileJsonOrYaml: "File (JSON or YAML)",
  intoWhichApp: "Into which app",
  oneThatTheFileNames: "The one that the file names",
  fileCouldNotBeRead: "The file could not be read.",
  itCannotBeImported: "It cannot be imported.",
  whatIsMissingHere: "What is missing here",
  whatItWouldMake: "What it would make",
  nothingToDo: "Nothing to do",
  whatItWouldChange: "What it would change",
  makeTheseFirstOrChoose: "Make these first, or choose another app. Nothing has been changed.",
  automationAsADraft: (name: string, suffix: ReactNode) =>
    nodes`The automation “${name}”${suffix}, as a draft: it does nothing until it is activated. You are its owner.`,
  withCountSteps: (count: number) => ` with ${count} steps`,
  thisFileHasMade: (anAutomation: ReactNode, value: string) =>
    nodes`This file has made ${anAutomation} already${value}`,
  anAutomation: "an automation",
  andItIsAsTheFile: ", and it is as the file says.",
  itWasNotImported: "It was not imported.",
  importIt: "Import it",
  changeIt: "Change it"
} as const

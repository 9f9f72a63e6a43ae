// Texts of the audit log: its filters and its rows.
import { plural } from "../../../../src/platform/text/plural.ts"

export const auditFilters = {
  what: "What",
  everything: "Everything",
  person: "Person",
  everybody: "Everybody",
  from: "From",
  to: "To"
} as const

export const auditPage = {
  formerMemberNo: (id: number) => `Former member No. ${id}`,
  exportAsCsv: "Export as CSV",
  exportAsJsonLines: "Export as JSON lines",
  collectingEntries: "Collecting entries…",
  dataEntriesAreInTheFile: (data: string, suffix: string) => `${data} entries are in the file${suffix}.`,
  narrowTheSearch: "; narrow the search for the rest",
  thereIsNoFile: "There is no file.",
  loadingTheAuditLogFailed: "Loading the audit log failed.",
  nothingIsRecordedYet: "Nothing is recorded yet",
  nothingOfThisKind: "Nothing of this kind is recorded",
  showOlderEntries: "Show older entries",
  loadingOlderEntriesFailed: "Loading older entries failed."
} as const

export const auditRow = {
  withCredentialWord: (credentialWord: string) => `with ${credentialWord}`,
  fromSourceAddress: (sourceAddress: string) => `from ${sourceAddress}`,
  timesInThisMinute: (count: number) =>
    plural(count, { one: "once in this minute", other: `${count} times in this minute` }),
  somebody: "Somebody",
  showThisPersonsEntriesAlone: "Show this person’s entries alone"
} as const

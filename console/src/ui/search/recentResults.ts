// Results that were opened last, for as long as the page lives.
import type { SearchResult } from "../../api/types.ts"
import type { FoundCommand } from "./commandsByName.ts"
import type { FoundPage } from "./pagesByName.ts"

/** A row of the dialog: a page of the console, a command, or what the service found. */
export type Listed = FoundCommand | FoundPage | SearchResult

const RECENT = 6
let recent: ReadonlyArray<Listed> = []

export const recentResults = (): ReadonlyArray<Listed> => recent

export const rememberResult = (result: Listed): void => {
  const otherResults = recent.filter(({ id, kind }) => kind !== result.kind || id !== result.id)
  recent = [{ ...result, snippet: "" }, ...otherResults].slice(0, RECENT)
}

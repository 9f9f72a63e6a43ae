// Results of the search for a text, and the words about it: pages and commands of the console at once, and what the service finds a moment after the last
// key; without a text, what was opened last.
import { ApiError } from "@millrace/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { client } from "../../api/client.ts"
import { me } from "../../api/queries.ts"
import { useResults as texts } from "../../texts/ui/searchWords.ts"
import { commandsByName } from "./commandsByName.ts"
import { useNewRecordCommands } from "./newRecordCommands.ts"
import { pagesByName } from "./pagesByName.ts"
import { type Listed, recentResults } from "./recentResults.ts"

const AFTER_KEYS = 150
const RESULTS = 12
/** A letter of an alphabet finds nearly everything; one of Chinese or Japanese is a word. */
const isWorthAsking = (q: string) => q.length > 1 || /[\u3000-\uffff]/.test(q)

/** The text, a moment after the last key. */
const useSettled = (text: string) => {
  const [settledText, setSettledText] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettledText(text), AFTER_KEYS)
    return () => window.clearTimeout(timer)
  }, [text])
  return settledText
}

interface Results {
  readonly results: ReadonlyArray<Listed>
  /** True while what the service found is not of the text that was typed. */
  readonly isBehind: boolean
  /** True if what was opened last is listed. */
  readonly isRecent: boolean
  readonly isPending: boolean
  readonly error: Error | null
  /** True if the service has more. */
  readonly hasMore: boolean
}

export const useResults = (text: string): Results => {
  const typedText = text.trim()
  const q = useSettled(typedText)
  const isAsked = isWorthAsking(q)
  const query = useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => client.search.find({ q, limit: RESULTS }, { signal }),
    enabled: isAsked,
    // Records change while the dialog is closed.
    staleTime: 0,
    placeholderData: keepPreviousData
  })
  const role = useQuery(me).data?.role
  const isSearched = isWorthAsking(typedText)
  const recordCommands = useNewRecordCommands(isSearched ? typedText : "")
  const knownResults = isSearched
    ? [...pagesByName(typedText, role), ...commandsByName(typedText, role), ...recordCommands]
    : []
  const isRecent = !isAsked && knownResults.length === 0
  const serviceResults = isAsked ? (query.data?.results ?? []) : []
  return {
    results: isRecent ? recentResults() : [...knownResults, ...serviceResults],
    isBehind: q !== typedText || (isAsked && query.isPlaceholderData),
    isRecent,
    isPending: !isAsked || query.isPending,
    error: query.error,
    hasMore: isAsked && query.data !== undefined && query.data.cursor !== null
  }
}

export const statusOf = ({ error, hasMore, isPending, isRecent, results }: Results) => {
  if (isRecent) return results.length === 0 ? texts.recordsCommentsAutomationsApps : texts.openedLast
  if (error instanceof ApiError && error.status === 400) return texts.searchHasTooManyWords
  if (error !== null) return texts.searchFailed
  if (isPending) return texts.searching
  if (results.length === 0) return texts.nothingFound
  if (hasMore) return texts.firstCountResults(results.length)
  return texts.countResults(results.length)
}

// The next page of a list below the ones that are shown: asked for by a button that keeps the keyboard, how many came is said, and so is
// the end, which takes the keyboard when the button goes.
import type { UseInfiniteQueryResult } from "@tanstack/react-query"
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { showMore as texts } from "../texts/ui/ui.ts"
import { Failure } from "./states.tsx"

interface ShowMoreProps {
  readonly query: Pick<
    UseInfiniteQueryResult,
    "error" | "fetchNextPage" | "hasNextPage" | "isFetching" | "isFetchingNextPage" | "isFetchNextPageError"
  >
  /** Number of items on the screen. */
  readonly shown: number
  /** Text of the button: "Show older runs". */
  readonly show: string
  /** Sentence for a page that could not be loaded. */
  readonly failed: string
}
export const ShowMore = ({ query, shown, show, failed }: ShowMoreProps) => {
  const { error, fetchNextPage, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError } = query
  const [asked, setAsked] = useState<number>()
  const [came, setCame] = useState({ more: 0, shown: -1 })
  const end = useRef<HTMLParagraphElement>(null)
  // A list that has changed otherwise since is another one.
  const isCurrent = came.shown === shown

  useEffect(() => {
    if (asked === undefined || isFetching) return
    if (shown === asked && hasNextPage) {
      // The list was asked for anew meanwhile, which has broken the next page off.
      if (!isFetchNextPageError) void fetchNextPage()
      return
    }
    setCame({ more: shown - asked, shown })
    setAsked(undefined)
  }, [asked, shown, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError])
  useLayoutEffect(() => {
    if (isCurrent && !hasNextPage && document.activeElement === document.body) end.current?.focus()
  }, [isCurrent, hasNextPage])

  const ask = () => {
    if (isFetchingNextPage) return
    setAsked(shown)
    void fetchNextPage()
  }
  return (
    <div className="show-more">
      {isFetchNextPageError && <Failure what={failed} error={error} />}
      {hasNextPage && (
        <button type="button" className="quiet small" aria-disabled={isFetchingNextPage} onClick={ask}>
          {isFetchingNextPage ? texts.loading : show}
        </button>
      )}
      {isCurrent && !hasNextPage && (
        <p ref={end} className="muted" tabIndex={-1}>
          {texts.more(came.more.toLocaleString(), shown.toLocaleString())}
        </p>
      )}
      <output className="unseen">
        {isCurrent && hasNextPage && texts.moreShownAreShown(came.more.toLocaleString(), shown.toLocaleString())}
      </output>
    </div>
  )
}

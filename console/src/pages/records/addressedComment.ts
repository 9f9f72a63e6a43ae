// The comment that an address names, `/records/7#comment-12`: loads pages of comments until it is there, and shows it.
import { useRouterState } from "@tanstack/react-router"
import { useEffect, useState } from "react"

/** Pages that are loaded for it at most. */
const PAGES = 40

export const commentHash = (commentId: number): string => `comment-${commentId}`

interface CommentPages {
  readonly data:
    | { readonly pages: ReadonlyArray<{ readonly comments: ReadonlyArray<{ readonly comment_id: number }> }> }
    | undefined
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly isError: boolean
  readonly fetchNextPage: () => unknown
}

/** Its hash, undefined without one. It is scrolled to once. */
export const useAddressedComment = ({ data, fetchNextPage, hasNextPage, isError, isFetching }: CommentPages) => {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const [shownHash, setShownHash] = useState("")
  const isAddressed = hash.startsWith("comment-")
  const pages = data?.pages ?? []
  const isLoaded = pages.some((page) => page.comments.some(({ comment_id }) => commentHash(comment_id) === hash))
  useEffect(() => {
    if (!isAddressed || shownHash === hash) return
    if (isLoaded) {
      document.getElementById(hash)?.scrollIntoView({ block: "center" })
      setShownHash(hash)
    } else if (hasNextPage && !isFetching && !isError && pages.length < PAGES) fetchNextPage()
  })
  return isAddressed ? hash : undefined
}

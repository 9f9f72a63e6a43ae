// Prevents queries about something that was removed here: by a page that is about to be left, or because of an event, a focus or a timer.
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query"

const removedKeys = new Set<string>()

/** True if the answers below this key are about something that was removed here, or is being removed. */
export const isGone = (key: QueryKey): boolean =>
  removedKeys.size > 0 && key.some((_, at) => removedKeys.has(JSON.stringify(key.slice(0, at + 1))))

interface Removal {
  readonly remove: () => Promise<unknown>
  /** The keys of what is known of it alone. */
  readonly known: ReadonlyArray<QueryKey>
  readonly onGone: () => Promise<unknown> | void
}

/** A removal: what is being asked about the thing is broken off, and begins again only if it stays. */
export const useRemoval = ({ known, onGone, remove }: Removal) => {
  const queries = useQueryClient()
  const texts = known.map((key) => JSON.stringify(key))
  return useMutation({
    mutationFn: remove,
    onMutate: async () => {
      for (const text of texts) removedKeys.add(text)
      await Promise.all(known.map((queryKey) => queries.cancelQueries({ queryKey })))
    },
    onError: () => {
      for (const text of texts) removedKeys.delete(text)
    },
    onSuccess: async () => {
      await onGone()
      for (const queryKey of known) queries.removeQueries({ queryKey, type: "inactive" })
    }
  })
}

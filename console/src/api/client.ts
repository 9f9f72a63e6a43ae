// The one client of the console, and what is known of its answers for a while: they are not kept beyond the page.
import { isApiError, makeClient } from "@millrace/client"
import { QueryClient } from "@tanstack/react-query"
import { isGone } from "./gone.ts"
import { firstReady } from "./live/firstReady.ts"
import { watchedFetch } from "./service.ts"
import { sessionCredentials } from "./session.ts"

const EVENTS = "/v1/events"

export const client = makeClient({
  baseUrl: location.origin,
  credentials: sessionCredentials,
  retry: { times: 2 },
  fetch: async (input, init) => {
    if (!(input instanceof URL && input.pathname === EVENTS)) await firstReady()
    return watchedFetch(input, init)
  }
})

/** The client has made its requests again already where that can help. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, gcTime: 300_000, enabled: ({ queryKey }) => !isGone(queryKey) },
    mutations: { retry: false }
  }
})

export const isNotFound = (error: unknown) => isApiError(error) && (error.status === 404 || error.status === 410)

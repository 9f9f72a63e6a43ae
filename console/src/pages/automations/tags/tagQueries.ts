// The tags that automations have, as suggestions and as a filter.
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"

export const automationTags = queryOptions({
  queryKey: ["automations", "tags"],
  queryFn: ({ signal }) => client.automations.listTags({}, { signal }),
  select: ({ tags }) => tags.map(({ tag }) => tag),
  staleTime: 30_000
})

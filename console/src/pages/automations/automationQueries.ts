// Query of an automation as the service has it, under a key that its pages share.
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"

export const automationOf = (automation_id: number) =>
  queryOptions({
    queryKey: ["automation", automation_id],
    queryFn: async ({ signal }) => (await client.automations.get({ automation_id }, { signal })).automation
  })

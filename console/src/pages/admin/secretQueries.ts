// Secrets of the organization, a workspace or an app: which the reader may see, and how they are asked for and added.
import type { AnswerOf, InputOf } from "@millrace/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"

export type Secret = AnswerOf<"secrets.organizationList">["secrets"][number]
export type NewSecret = InputOf<"secrets.organizationCreate">["body"]

/** `org`, or what the id after the colon is of. */
export type SecretOwner = "org" | `workspace:${number}` | `app:${number}`

const idOf = (owner: SecretOwner) => Number(owner.split(":")[1])

export const secretsOf = (owner: SecretOwner) =>
  queryOptions({
    queryKey: ["secrets", owner],
    queryFn: ({ signal }) => {
      if (owner === "org") return client.secrets.organizationList({}, { signal })
      if (owner.startsWith("workspace:")) return client.secrets.workspaceList({ workspace_id: idOf(owner) }, { signal })
      return client.secrets.appList({ app_id: idOf(owner) }, { signal })
    }
  })

export const addSecret = (owner: SecretOwner, body: NewSecret) => {
  if (owner === "org") return client.secrets.organizationCreate({ body })
  if (owner.startsWith("workspace:")) return client.secrets.workspaceCreate({ workspace_id: idOf(owner), body })
  return client.secrets.appCreate({ app_id: idOf(owner), body })
}

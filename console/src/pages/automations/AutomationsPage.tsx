// The automations of an organization that the reader may see, with their state, found by name.
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { Page } from "../../ui/Page.tsx"
import { Search } from "../../ui/Search.tsx"
import { Asked, Empty } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { automationStates } from "./automationStates.ts"

export const AutomationsPage = () => {
  const [wanted, setWanted] = useState("")
  const query = useInfiniteQuery({
    queryKey: ["automations"],
    queryFn: ({ pageParam, signal }) =>
      client.automations.listOrg({ limit: 100, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined
  })
  return (
    <Page title="Automations" lead="What happens by itself when records change, dates arrive or somebody calls.">
      <Asked query={query} what="automations">
        {({ pages }) => {
          const all = pages.flatMap(({ automations }) => automations)
          if (all.length === 0)
            return (
              <Empty title="No automations yet">
                <p>
                  Automations are made over the API: <a href="/docs/automations">how to create one</a>.
                </p>
              </Empty>
            )
          const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
          return (
            <>
              <Search
                label="Find an automation"
                value={wanted}
                onChange={setWanted}
                count={`${found.length} of ${all.length}`}
              />
              <ul className="plain">
                {found.map(({ id, name, status, updated_at }) => (
                  <li key={id} className="card run-card">
                    <div>
                      <h2>
                        <Link to="/automations/$automationId" params={{ automationId: String(id) }}>
                          {name}
                        </Link>
                      </h2>
                      <p className="muted">
                        Changed <Time at={updated_at} />
                      </p>
                    </div>
                    <Tag tone={automationStates[status].tone}>{automationStates[status].words}</Tag>
                  </li>
                ))}
              </ul>
              {query.hasNextPage && (
                <button type="button" className="quiet" onClick={() => void query.fetchNextPage()}>
                  Show more automations
                </button>
              )}
            </>
          )
        }}
      </Asked>
    </Page>
  )
}

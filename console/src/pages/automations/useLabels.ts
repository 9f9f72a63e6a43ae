// Labels of the types of triggers and actions, from the catalogues.
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { client } from "../../api/client.ts"

export const useLabels = () => {
  const actions = useQuery({
    queryKey: ["catalogue", "actions"],
    queryFn: ({ signal }) => client.automationMeta.actions({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
  const triggers = useQuery({
    queryKey: ["catalogue", "triggers"],
    queryFn: ({ signal }) => client.automationMeta.triggers({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
  return useMemo(() => {
    const labelByType = new Map<string, string>([
      ...(actions.data?.actions ?? []).map(({ label, type }): [string, string] => [type, label]),
      ...(triggers.data?.triggers ?? []).map(({ label, type }): [string, string] => [type, label])
    ])
    return (type: string) => labelByType.get(type) ?? type.replaceAll("_", " ")
  }, [actions.data, triggers.data])
}

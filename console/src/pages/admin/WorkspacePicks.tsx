// Tick boxes for workspaces: each is added to the chosen ones, or taken from them.
import { useId } from "react"

interface WorkspacePicksProps {
  readonly workspaces: ReadonlyArray<{ readonly workspace_id: number; readonly name: string }>
  readonly chosenIds: ReadonlyArray<number>
  readonly change: (ids: Array<number>) => void
}
export const WorkspacePicks = ({ change, chosenIds, workspaces }: WorkspacePicksProps) => {
  const id = useId()
  const toggle = (one: number) =>
    change(chosenIds.includes(one) ? chosenIds.filter((it) => it !== one) : [...chosenIds, one])
  return workspaces.map(({ name, workspace_id }) => (
    <label key={workspace_id} htmlFor={`${id}-${workspace_id}`}>
      <input
        id={`${id}-${workspace_id}`}
        type="checkbox"
        checked={chosenIds.includes(workspace_id)}
        onChange={() => toggle(workspace_id)}
      />{" "}
      {name}
    </label>
  ))
}

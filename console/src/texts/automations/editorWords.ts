// Words of the editor's commands, with their keys.

export const commands = {
  add: { keys: "A", words: "Add a step below" },
  edit: { keys: "Enter", words: "Go to the form of what is chosen" },
  back: { keys: "Escape", words: "Go back from the form to the flow" },
  up: { words: "Move up" },
  down: { words: "Move down" },
  in: { words: "Move into the branch above, or on into “otherwise”" },
  out: { words: "Move out of the branch" },
  duplicate: { words: "Duplicate" },
  copy: { words: "Copy" },
  cut: { words: "Cut" },
  paste: { words: "Paste below, also from another automation" },
  remove: { keys: "Delete", words: "Delete" },
  fold: { keys: "C", words: "Collapse or expand a branch or loop" },
  undo: { words: "Undo" },
  redo: { words: "Redo" },
  save: { words: "Save" },
  activate: { words: "Publish, or pause" },
  try: { keys: "T", words: "Test all steps with the sample" },
  text: { keys: "J", words: "Show as JSON or YAML" },
  previous: { keys: "ArrowUp", words: "Choose the one above" },
  next: { keys: "ArrowDown", words: "Choose the one below" },
  help: { words: "Show all keys" }
} as const

"use client";

import { type KeyboardEvent, useState } from "react";
import { fill } from "@/app/_components/texts";
import type { EditorTexts } from "./editor-texts";
import { ToolIcon } from "./tool-icon";
import { shortcuts, type ToolName, toolNames } from "./tool-names";

interface ToolbarProps {
  texts: EditorTexts;
  /** The id of the text area. */
  controls: string;
  onTool: (tool: ToolName) => void;
}

/**
 * The buttons that format the text.
 * One stop of the Tab key, with arrow keys between them.
 */
export function Toolbar({ texts, controls, onTool }: ToolbarProps) {
  const [current, setCurrent] = useState(0);
  return (
    <div
      role="toolbar"
      aria-label={texts.toolbar}
      aria-controls={controls}
      className="editor-tools"
      onKeyDown={moveFocus}
    >
      {toolNames.map((tool, index) => {
        const name = texts.tools[index] ?? "";
        const key = Object.keys(shortcuts).find((letter) => shortcuts[letter] === tool);
        return (
          <button
            key={tool}
            type="button"
            aria-label={name}
            aria-keyshortcuts={key && `Control+${key} Meta+${key}`}
            title={key ? fill(texts.shortcut, { name, key }) : name}
            tabIndex={index === current ? 0 : -1}
            onFocus={() => setCurrent(index)}
            onClick={() => onTool(tool)}
          >
            <ToolIcon tool={tool} />
          </button>
        );
      })}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const index = buttons.findIndex((button) => button.tabIndex === 0);
  const onward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = onward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  const targets: Record<string, number> = {
    [onward]: (index + 1) % buttons.length,
    [back]: (index + buttons.length - 1) % buttons.length,
    Home: 0,
    End: buttons.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  buttons[target]?.focus();
}

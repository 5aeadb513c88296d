import { expect, test } from "vitest";
import { withAbsoluteAddresses } from "./absolute-addresses";

const absolute = (html: string) => withAbsoluteAddresses(html, "https://blog.example", "/posts/a-post");

test.each([
  ['<a href="/posts/b">x</a>', '<a href="https://blog.example/posts/b">x</a>'],
  ['<img alt="" src="/media/1.png">', '<img alt="" src="https://blog.example/media/1.png">'],
  ['<a href="#note">x</a>', '<a href="https://blog.example/posts/a-post#note">x</a>'],
  ['<a href="?counted=all">x</a>', '<a href="https://blog.example/posts/a-post?counted=all">x</a>'],
  ['<a title="a > b" href="b">x</a>', '<a title="a > b" href="https://blog.example/posts/b">x</a>'],
  [
    '<source srcset="/media/a-480x240.avif 480w, /media/a-960x480.avif 960w" type="image/avif">',
    '<source srcset="https://blog.example/media/a-480x240.avif 480w, https://blog.example/media/a-960x480.avif 960w" type="image/avif">',
  ],
])("makes the address in %s absolute", (html, expected) => {
  expect(absolute(html)).toBe(expected);
});

test.each([
  '<a href="https://other.example/">x</a>',
  '<a href="//other.example/">x</a>',
  '<a href="mailto:a@other.example">x</a>',
  '<p>Write href="/x" in a tag, such as &#x3C;a href="/x"></p>',
  '<a title="it is src=" class="y">x</a>',
])("leaves %s as it is", (html) => {
  expect(absolute(html)).toBe(html);
});

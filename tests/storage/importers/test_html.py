import pytest

from storage.importers.html_text import html_to_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("one<br>two<br><br>three", "one\ntwo\n\nthree"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("a <b>b</b>\n  c<i>d</i>", "a b cd"),
        ("<h1>Title</h1>text", "Title\n\ntext"),
        ("<ol><li>one<ul><li>deep</ul><li>two</ol>after", "1. one\n  - deep\n2. two\nafter"),
        ("<table><tr><td>Item<td>Price<tr><td>Chair<td>9</table>", "Item | Price\nChair | 9"),
        ("<pre>a  b\n  c</pre>", "a  b\n  c"),
        ("<p>I:</p><blockquote>old<blockquote>older</blockquote></blockquote>new", "I:\n\n> old\n>\n> > older\n\nnew"),
        ('<a href="https://a.example/x">here</a>', "here (https://a.example/x)"),
        ('<a href="https://a.example/">a.example</a>', "a.example"),
        ('<a href="mailto:a@x">a@x</a>', "a@x"),
        ('<a href="javascript:alert(1)">here</a>', "here"),
        ('<a href="https://bank.example@evil.example">https://bank.example</a>', "https://bank.example (https://bank.example@evil.example)"),
        ('<a href="https://a.example"><img src=x></a>', "https://a.example"),
        ('<img alt="Logo" src=x>', "[Logo]"),
        ("&lt;script&gt; &amp;amp; &#27; &eacute;", "<script> &amp; é"),
        ("a < b and <3", "a < b and <3"),
        ("text <unfinished attr='", "text"),
        ("<p>Stray</div></b></p> end", "Stray\n\nend"),
        ("", ""),
    ],
)  # fmt: skip
def test_html_is_laid_out_as_text(html: str, text: str) -> None:
    assert html_to_text(html) == html_to_text(html)
    assert html_to_text(html).text == text


@pytest.mark.parametrize(
    "element",
    [
        '<div style="display:none">secret</div>',
        '<div STYLE="DISPLAY : NONE !important">secret</div>',
        '<span style="visibility:hidden">secret</span>',
        '<span style="font-size:0px">secret</span>',
        '<span style="font-size:1px">secret</span>',
        '<span style="opacity:0.0">secret</span>',
        '<span style="/* x */display:none">secret</span>',
        '<span style="color:#FFF">secret</span>',
        '<span style="color:rgb(255, 255, 255)">secret</span>',
        '<span style="color:transparent">secret</span>',
        '<font color="white">secret</font>',
        '<table bgcolor="#222222"><tr><td><span style="color:#242424">secret</span></table>',
        '<div style="max-height:0;overflow:hidden">secret</div>',
        '<div style="position:absolute;left:-9999px">secret</div>',
        '<div style="text-indent:-9999px">secret</div>',
        '<div style="mso-hide:all">secret</div>',
        "<div hidden>secret</div>",
        "<div hidden><p><b>secret</div>",
        "<style>.x, #y { display: none }</style><div class='a x'>secret</div>",
        "<style>#y{display:none}</style><div id=y>secret</div>",
        "<!-- secret -->",
        "<!--[if mso]>secret<![endif]-->",
        "<script>secret</script>",
        "<SCRIPT>'</scriptx>' secret</SCRIPT >",
        "<head><title>secret</title></head>",
        "<template>secret</template>",
        "<svg><text>secret</text></svg>",
    ],
)
def test_what_the_reader_does_not_see_is_dropped_and_counted(element: str) -> None:
    result = html_to_text(f"<p>before</p>{element}<p>after</p>")
    assert result.text == "before\n\nafter"
    assert result.hidden_count == 1 + element.startswith("<style>")


@pytest.mark.parametrize(
    "element",
    [
        '<div style="background:#000"><span style="color:white">seen</span></div>',
        '<div style="background:url(x.png)"><span style="color:#fff">seen</span></div>',
        '<div style="background:white;color:black">seen</div>',
        "<style>.b{background:#123456}</style><div class=b><font color=white>seen</font></div>",
        "<style>@media (max-width:1px){.x{display:none}}</style><div class=x>seen</div>",
        '<div style="display:block;font-size:10px;opacity:0.9">seen</div>',
        '<div aria-hidden="true">seen</div>',
        '<p style="display:none"><div>seen</div>',
        '<input type="hidden" value="x"><br style="display:none">seen',
    ],
)
def test_what_the_reader_sees_is_kept(element: str) -> None:
    assert html_to_text(element).text == "seen"

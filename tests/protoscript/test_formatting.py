"""The formatter changes what stands between tokens, and nothing else."""

import random

import pytest

from ferrule.ontology.sources import shipped_folder
from ferrule.protoscript.formatting import format_source
from ferrule.protoscript.reading import parse
from ferrule.protoscript.summary import summarise

UNTIDY = """
// a bakery


include   recursive "../doughs/*.pts" ;
[Oven.Heat("high" ,2)] prototype  Loaf:Bread ,Food{ String  Label="rye" ;// said on the bag
   // its own line

 List<List<Int> >  Trays ; Crumbs = [ 1,
2 , 3
] ;


   function Bake( Int hours=1 , ref  Oven? oven ):Int {if (hours>1) /* long */{return -1;}else if (hours<2) return (3);
 else { each=>{ turn(each); }; }
 for(Int i=0;i<3;i++) shift( trays [0] , new Tray(){Width=1,Depth=2} ) ;
 hours+=2; hours >>= 1; left = hours>>right; soft = crust !is Hard; said = 1 .ToString();
 foreach(Int one in [1,2]){ } do { wait(); } while(raw) ; switch(flour){case 1: break; default: add(); break;}
 try{cut();}catch(Blunt knife){grind();}finally{serve();}
 best = dark ? rye : wheat; fits = loaf -> Bread{fresh,whole};
 // the last word
 }
 init { Label = "x"; }
}
namespace Shop.Window{prototype Cake;
 prototype Bun { } }
/* closed */"""

TIDY = """// a bakery

include recursive "../doughs/*.pts";
[Oven.Heat("high", 2)]
prototype Loaf : Bread, Food
{
	String Label = "rye"; // said on the bag
	// its own line

	List<List<Int>> Trays;
	Crumbs = [1,
		2, 3
	];

	function Bake(Int hours = 1, ref Oven? oven) : Int
	{
		if (hours > 1) /* long */
		{
			return -1;
		}
		else if (hours < 2) return (3);
		else
		{
			each => {
				turn(each);
			};
		}
		for (Int i = 0; i < 3; i++) shift(trays[0], new Tray() { Width = 1, Depth = 2 });
		hours += 2;
		hours >>= 1;
		left = hours >> right;
		soft = crust !is Hard;
		said = 1 .ToString();
		foreach (Int one in [1, 2])
		{
		}
		do
		{
			wait();
		}
		while (raw);
		switch (flour)
		{
			case 1:
				break;
			default:
				add();
				break;
		}
		try
		{
			cut();
		}
		catch (Blunt knife)
		{
			grind();
		}
		finally
		{
			serve();
		}
		best = dark ? rye : wheat;
		fits = loaf -> Bread { fresh, whole };
		// the last word
	}
	init
	{
		Label = "x";
	}
}
namespace Shop.Window
{
	prototype Cake;
	prototype Bun
	{
	}
}
/* closed */
"""

TRIVIA = (" ", "\n", "\n\n\n", " /* c */ ", " // z\n", "\n\t// own\n", " # h\n", " /*a*/ /*b*/ ", "\r\n", "\t\t")


def comments(text: str) -> list[str]:
    """Every comment of a text, in order, without blanks behind it."""
    found = []
    for token in parse(text).tokens:
        rest = token.trivia.lstrip()
        while rest:
            end = rest.index("*/") + 2 if rest.startswith("/*") else rest.find("\n") % (len(rest) + 1)
            found.append(rest[:end].rstrip())
            rest = rest[end:].lstrip()
    return found


def shaken(text: str, seed: int) -> str:
    """The same tokens with other white space and comments between them."""
    chance = random.Random(seed)  # noqa: S311 - chance under a seed is the point
    parts = []
    for token in parse(text).tokens:
        trivia = token.trivia
        bare = not trivia and token.kind in {";", "{", "}", ",", ")"} and chance.random() < 0.3
        if bare or trivia.isspace():
            trivia = chance.choice(TRIVIA)
        parts.append(trivia + token.text)
    return "".join(parts)


def test_an_untidy_file_becomes_a_tidy_one() -> None:
    """Declarations, statements and braces on lines of their own, operators between spaces, comments where they were."""
    assert format_source(UNTIDY).text == TIDY
    assert format_source(TIDY).text == TIDY


@pytest.mark.parametrize("seed", range(60))
def test_whatever_stands_between_the_tokens(seed: int) -> None:
    """The same meaning, the same comments in the same order, and formatting again changes nothing."""
    text = shaken(UNTIDY, seed)
    done = format_source(text)
    assert done.ok
    assert not done.kept
    assert comments(done.text) == comments(text)
    assert summarise(parse(done.text).tree) == summarise(parse(text).tree)
    assert format_source(done.text).text == done.text
    assert not any(line.endswith((" ", "\t")) for line in done.text.split("\n"))


def test_what_is_wrong_stays_as_it_is() -> None:
    """The text comes back with its diagnostics."""
    text = "prototype   Loaf { String Label = 'rye' }"
    done = format_source(text)
    assert done.text == text
    assert [found.code for found in done.diagnostics] == [found.code for found in parse(text).diagnostics]
    assert not done.ok


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ""),
        (" \n\n ", ""),
        ("// alone", "// alone\n"),
        ("\ufeffprototype  A;", "\ufeffprototype A;\n"),
        ("prototype  A;\r\nprototype B;\r\n", "prototype A;\r\nprototype B;\r\n"),
        ("prototype  A;\r\nprototype B;\n", "prototype A;\nprototype B;\n"),
        ('prototype A{ String T = @"two\r\nlines" ;}', 'prototype A\r\n{\r\n\tString T = @"two\r\nlines";\r\n}\r\n'),
        ("prototype A { /* in */ }", "prototype A\n{ /* in */\n}\n"),
        ("prototype A {\n\n\n// in\n\n\n}", "prototype A\n{\n\t// in\n}\n"),
        ("prototype A {\n\nInt N ;\n\n}", "prototype A\n{\n\tInt N;\n}\n"),
        ("prototype A where   T :  x { }", "prototype A where T : x\n{\n}\n"),
        ("x = a ? -1 : - 1 ;", "x = a ? -1 : -1;\n"),
        ("if(a)b(); else\nc();", "if (a) b();\nelse\n\tc();\n"),
        ("x = f(\n1,\n[\n2\n]\n);", "x = f(\n\t1,\n\t[\n\t\t2\n\t]\n);\n"),
    ],
)
def test_small_texts(text: str, told: str) -> None:
    """Empty ones, marks, line ends, comments in bodies, blank lines at their edges, broken expressions."""
    assert format_source(text).text == told
    assert format_source(told).text == told


def test_the_shipped_ontology_is_formatted() -> None:
    """Formatting it changes nothing."""
    files = sorted(shipped_folder().glob("*.pts"))
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert format_source(text).text == text


def test_deep_texts_are_formatted_too() -> None:
    """No recursion: lists and blocks nested to the parser's bound."""
    for text in (f"x = {'[' * 200}{']' * 200};", "{" * 200 + "}" * 200):
        done = format_source(text)
        assert done.ok
        assert format_source(done.text).text == done.text
